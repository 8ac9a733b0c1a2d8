import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { PoolClient } from 'pg';
import type { InferOutput } from 'valibot';
import type {
  addPasskey,
  PasskeyAssertion,
  PasskeyRequest,
  startPasskey,
} from '#contract/second-factor.ts';
import type { BodyOf, ReplyOf } from '#contract/route.ts';
import { type Client, execute, one, rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';

const RP_NAME = 'Учебная платформа';
const TIMEOUT_MS = 5 * 60_000;
const ES256 = -7;
const ED25519 = -8;
const RS256 = -257;
const ALGORITHMS = [ED25519, ES256, RS256];

/** The relying party of passkeys: the public address if configured, else the address of this call. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * @throws {Refusal} BAD_REQUEST when the call names no address
 */
export function relyingParty(deps: Pick<Deps, 'settings'>, origin: string): RelyingParty {
  const address = deps.settings.publicUrl ?? origin;
  if (!URL.canParse(address)) throw new Refusal('BAD_REQUEST');
  const url = new URL(address);
  return { id: url.hostname, origin: url.origin };
}

interface StoredPasskey {
  readonly id: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: string[];
}

const listPasskeys = (client: Client, userId: string): Promise<StoredPasskey[]> =>
  rows<StoredPasskey & Record<string, unknown>>(
    client,
    `select id, credential_id as "credentialId", public_key as "publicKey", counter, transports
     from passkeys where user_id = $1 order by created_at, id`,
    [userId],
  );

const describeCredential = ({ credentialId, transports }: StoredPasskey) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports,
});

/** Options for an assertion by a passkey; null: the person has none. */
export async function createAssertionOptions(
  client: Client,
  userId: string,
  { id: rpID }: RelyingParty,
): Promise<InferOutput<typeof PasskeyRequest> | null> {
  const own = await listPasskeys(client, userId);
  if (own.length === 0) return null;
  const { challenge } = await generateAuthenticationOptions({ rpID });
  return {
    challenge,
    rpId: rpID,
    timeout: TIMEOUT_MS,
    userVerification: 'preferred',
    allowCredentials: own.map(describeCredential),
  };
}

/** Options for creating a passkey. */
export async function createRegistrationOptions(
  client: Client,
  user: { userId: string; email: string; userName: string },
  { id: rpID }: RelyingParty,
): Promise<ReplyOf<typeof startPasskey>['options']> {
  const own = await listPasskeys(client, user.userId);
  const { challenge } = await generateRegistrationOptions({
    rpID,
    rpName: RP_NAME,
    userName: user.email,
  });
  return {
    challenge,
    rp: { id: rpID, name: RP_NAME },
    // An opaque id, so that a key reveals nothing about its owner.
    user: {
      id: Buffer.from(user.userId).toString('base64url'),
      name: user.email,
      displayName: user.userName,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: own.map(describeCredential),
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
  };
}

export interface NewPasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

const wrongKey = () =>
  new Refusal('WRONG_FACTOR', { message: 'Ключ входа не подошёл. Попробуйте ещё раз' });

/**
 * The credential of a new passkey.
 * @throws {Refusal} WRONG_FACTOR
 */
export async function readNewPasskey(
  attestation: BodyOf<typeof addPasskey>['attestation'],
  expectedChallenge: string,
  { id, origin }: RelyingParty,
): Promise<NewPasskey> {
  const { transports, ...response } = attestation.response;
  const verified = await verifyRegistrationResponse({
    response: {
      ...attestation,
      response: { ...response, ...(transports && { transports }) },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verified?.verified) throw wrongKey();
  const { credential } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: transports ?? [],
  };
}

/**
 * Verifies an assertion of one of the person's passkeys and advances its counter.
 * @throws {Refusal} WRONG_FACTOR, also for a counter that does not rise: the key may have been copied
 */
export async function verifyPasskey(
  client: PoolClient,
  {
    userId,
    assertion,
    expectedChallenge,
    party,
    now,
  }: {
    userId: string;
    assertion: InferOutput<typeof PasskeyAssertion>;
    expectedChallenge: string;
    party: RelyingParty;
    now: Date;
  },
): Promise<void> {
  const own = await one<StoredPasskey & Record<string, unknown>>(
    client,
    `select id, credential_id as "credentialId", public_key as "publicKey", counter, transports
     from passkeys where user_id = $1 and credential_id = $2 for update`,
    [userId, assertion.id],
  );
  if (!own) throw wrongKey();
  const { userHandle, ...response } = assertion.response;
  const verified = await verifyAuthenticationResponse({
    response: {
      ...assertion,
      response: { ...response, ...(userHandle !== undefined && { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: {
      id: own.credentialId,
      publicKey: new Uint8Array(own.publicKey),
      counter: own.counter,
      transports: own.transports,
    },
  }).catch(() => null);
  if (!verified?.verified) throw wrongKey();
  await execute(client, 'update passkeys set counter = $2, last_used_at = $3 where id = $1', [
    own.id,
    verified.authenticationInfo.newCounter,
    now,
  ]);
}
