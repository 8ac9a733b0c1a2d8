import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import {
  addPasskey,
  confirmIdentity,
  confirmTotp,
  type Enrolled,
  getSecondFactor,
  makeRecoveryCodes,
  PASSKEYS_PER_PERSON,
  removePasskey,
  removeTotp,
  type SecondFactor,
  startConfirmation,
  startPasskey,
  startTotp,
} from '#contract/second-factor.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { endOthers } from '#server/users/own-sessions.ts';
import { type AuthenticatedUser, CONFIRMED_MS } from '#server/auth/caller.ts';
import { requireOwnPassword } from '#server/auth/own-password.ts';
import { confirmSession } from '#server/auth/sessions.ts';
import { type ChallengePurpose, openChallenge, redeemChallenge } from './challenges.ts';
import { hasFactor, readSecondFactor } from './factors.ts';
import { forgiveFactorTries, spendFactorTry } from './failures.ts';
import { createRegistrationOptions, readNewPasskey, relyingParty } from './passkeys.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { beginStep, redeemProof, WRONG_TOTP, wrongCode } from './step.ts';
import { createTotpSecret, describeTotpSecret, findTotpStep } from './totp.ts';

/** One change at a time to one person's factors. */
async function lockFactors(client: PoolClient, { userId }: AuthenticatedUser): Promise<void> {
  const locked = await one(
    client,
    'select 1 from users where id = $1 and erased_at is null for update',
    [userId],
  );
  if (!locked) throw new Refusal('UNAUTHORIZED');
}

type Kind = 'totp' | 'passkey';

const ownAct = ({ userId }: AuthenticatedUser, act: 'factorAdded' | 'factorRemoved', kind: Kind) =>
  actOn('user', userId, { actorId: userId, act, details: { kind } });

/** Effects of a new factor. With the first one codes are issued, and sign-ins made without it end. */
async function finishEnrolment(
  client: PoolClient,
  deps: Deps,
  caller: AuthenticatedUser,
  { kind, isFirst, now }: { kind: Kind; isFirst: boolean; now: Date },
): Promise<Enrolled> {
  await recordAct(client, deps, ownAct(caller, 'factorAdded', kind), now);
  if (isFirst) await endOthers(client, caller, now);
  const recoveryCodes = isFirst ? await replaceRecoveryCodes(client, caller.userId) : null;
  return { state: await readSecondFactor(client, caller), recoveryCodes };
}

/** Effects of a removal. With the last factor the codes go too; it cannot be removed where one is required. */
async function finishRemoval(
  client: PoolClient,
  deps: Deps,
  caller: AuthenticatedUser,
  { kind, now }: { kind: Kind; now: Date },
): Promise<SecondFactor> {
  await recordAct(client, deps, ownAct(caller, 'factorRemoved', kind), now);
  const state = await readSecondFactor(client, caller);
  if (state.totp || state.passkeys.length > 0) return state;
  if (state.isRequired) throw new Refusal('LAST_FACTOR');
  await execute(client, 'delete from recovery_codes where user_id = $1', [caller.userId]);
  return { ...state, recoveryCodesLeft: 0 };
}

function registerConfirmation(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, startConfirmation, async ({ caller, origin, now }) =>
    beginStep(pool, {
      user: caller,
      purpose: 'confirmation',
      sessionHash: caller.tokenHash,
      party: relyingParty(deps, origin),
      now,
    }),
  );

  handle(app, deps, confirmIdentity, async (call) => {
    const { body, caller, origin, now } = call;
    const { proof, challenge } = body;
    const answered = {
      challenge,
      purpose: 'confirmation' as const,
      sessionHash: caller.tokenHash,
      now,
    };
    if (proof.method === 'password') {
      // With a second factor the password alone proves nothing.
      if (await hasFactor(pool, caller)) throw new Refusal('WRONG_FACTOR');
      await requireOwnPassword(deps, call, { password: proof.password, field: 'password' });
    }
    await spendFactorTry(pool, { userId: caller.userId, challenge, method: proof.method, now });
    const party = relyingParty(deps, origin);
    await transaction(pool, async (client) => {
      const step = await redeemChallenge(client, answered);
      if (proof.method !== 'password') {
        await redeemProof(client, { step, proof, party, now });
        await forgiveFactorTries(client, step);
      }
      await confirmSession(client, caller.tokenHash, now);
    });
    return { confirmedUntil: new Date(now.getTime() + CONFIRMED_MS).toISOString() };
  });
}

const enrolmentStep = (
  caller: AuthenticatedUser,
  { challenge, purpose, now }: { challenge: string; purpose: ChallengePurpose; now: Date },
) => ({ challenge, purpose, sessionHash: caller.tokenHash, now });

function registerTotp(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, startTotp, async ({ caller, origin, now }) => {
    const { id: host } = relyingParty(deps, origin);
    const { userId, email, tokenHash: sessionHash } = caller;
    const totpSecret = createTotpSecret();
    const step = { userId, purpose: 'totp', sessionHash, totpSecret } as const;
    const { challenge } = await openChallenge(pool, step, now);
    return { challenge, ...describeTotpSecret(totpSecret, { host, email }) };
  });

  handle(app, deps, confirmTotp, async ({ caller, body, now }) =>
    transaction(pool, async (client) => {
      await lockFactors(client, caller);
      const isFirst = !(await hasFactor(client, caller));
      const { challenge } = body;
      const step = await redeemChallenge(
        client,
        enrolmentStep(caller, { challenge, purpose: 'totp', now }),
      );
      const lastStep = step.totpSecret && findTotpStep(step.totpSecret, body.code, now);
      if (lastStep === null || lastStep === undefined) throw wrongCode(WRONG_TOTP);
      await execute(
        client,
        `insert into totp_secrets (user_id, secret, last_step, created_at) values ($1, $2, $3, $4)
         on conflict (user_id) do update set secret = excluded.secret,
           last_step = excluded.last_step, created_at = excluded.created_at, last_used_at = null`,
        [caller.userId, step.totpSecret, lastStep, now],
      );
      return finishEnrolment(client, deps, caller, { kind: 'totp', isFirst, now });
    }),
  );

  handle(app, deps, removeTotp, async ({ caller, now }) =>
    transaction(pool, async (client) => {
      await lockFactors(client, caller);
      const removed = await execute(client, 'delete from totp_secrets where user_id = $1', [
        caller.userId,
      ]);
      if (removed === 0) return readSecondFactor(client, caller);
      return finishRemoval(client, deps, caller, { kind: 'totp', now });
    }),
  );
}

function registerPasskeys(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, startPasskey, async ({ caller, origin, now }) => {
    const { userId, tokenHash: sessionHash } = caller;
    const options = await createRegistrationOptions(pool, caller, relyingParty(deps, origin));
    if (options.excludeCredentials.length >= PASSKEYS_PER_PERSON)
      throw new Refusal('TOO_MANY_PASSKEYS');
    const webauthnChallenge = options.challenge;
    const step = { userId, purpose: 'passkey', sessionHash, webauthnChallenge } as const;
    const { challenge } = await openChallenge(pool, step, now);
    return { challenge, options };
  });

  handle(app, deps, addPasskey, async ({ caller, body, origin, now }) =>
    transaction(pool, async (client) => {
      await lockFactors(client, caller);
      const { userId } = caller;
      const isFirst = !(await hasFactor(client, caller));
      const { passkeys } = await readSecondFactor(client, caller);
      if (passkeys.length >= PASSKEYS_PER_PERSON) throw new Refusal('TOO_MANY_PASSKEYS');
      const { challenge } = body;
      const { webauthnChallenge } = await redeemChallenge(
        client,
        enrolmentStep(caller, { challenge, purpose: 'passkey', now }),
      );
      const party = relyingParty(deps, origin);
      const made = await readNewPasskey(body.attestation, webauthnChallenge ?? '', party);
      const added = await execute(
        client,
        `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name,
           created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing`,
        [
          deps.newId(),
          userId,
          made.credentialId,
          made.publicKey,
          made.counter,
          made.transports,
          body.name,
          now,
        ],
      );
      if (added === 0) throw new Refusal('WRONG_FACTOR');
      return finishEnrolment(client, deps, caller, { kind: 'passkey', isFirst, now });
    }),
  );

  handle(app, deps, removePasskey, async ({ caller, params, now }) =>
    transaction(pool, async (client) => {
      await lockFactors(client, caller);
      const removed = await execute(client, 'delete from passkeys where id = $1 and user_id = $2', [
        params.passkeyId,
        caller.userId,
      ]);
      if (removed === 0) throw new Refusal('NOT_FOUND');
      return finishRemoval(client, deps, caller, { kind: 'passkey', now });
    }),
  );
}

/** A person's own second factors, and proofs of identity within a sign-in. */
export function registerSecondFactor(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;
  registerConfirmation(app, deps);
  handle(app, deps, getSecondFactor, async ({ caller }) => readSecondFactor(pool, caller));
  registerTotp(app, deps);
  registerPasskeys(app, deps);

  handle(app, deps, makeRecoveryCodes, async ({ caller }) =>
    transaction(pool, async (client) => {
      await lockFactors(client, caller);
      if (!(await hasFactor(client, caller))) throw new Refusal('NO_FACTOR');
      const recoveryCodes = await replaceRecoveryCodes(client, caller.userId);
      return { state: await readSecondFactor(client, caller), recoveryCodes };
    }),
  );
}
