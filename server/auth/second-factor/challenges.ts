import { hash, randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { type Client, execute, one } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { hashToken } from '#server/auth/caller.ts';

/** Time to find the phone, and to set up an app on it. */
const LIFETIME_MS = 10 * 60_000;
/** Open steps of sign-ins to one account from one place; a further one is refused. */
export const MAX_OPEN_SIGN_INS = 20;
/** Open challenges of one purpose in one sign-in; the oldest is dropped. */
const MAX_OPEN_IN_SESSION = 10;

export type ChallengePurpose = 'signIn' | 'confirmation' | 'totp' | 'passkey';

/** The data of a challenge until it is answered. */
export interface Challenge {
  readonly userId: string;
  readonly purpose: ChallengePurpose;
  /** The sign-in that created it; null: there is none yet. */
  readonly sessionHash: Buffer | null;
  /** Where a sign-in is tried: a known device, or a network. Absent within a sign-in. */
  readonly origin?: string;
  readonly passwordHash?: string | null;
  readonly webauthnChallenge?: string | null;
  readonly totpSecret?: Buffer | null;
}

/** A challenge that is being answered. */
export interface AnsweredChallenge extends Challenge {
  /** Codes tried in it, the answer included. */
  readonly tries: number;
}

export interface OpenedChallenge {
  /** Only its hash is stored. */
  readonly challenge: string;
  readonly expiresAt: Date;
}

const hashOrigin = (origin: string | undefined): Buffer | null =>
  origin === undefined ? null : hash('sha256', origin, 'buffer');

/**
 * Makes room for one more challenge of its purpose and place; other challenges are never affected. Within a sign-in the
 * oldest is dropped. Before a sign-in nobody has proved to be the owner, so the first challenges stay and a further one
 * is refused.
 * @throws {Refusal} TOO_MANY_LOGINS
 */
async function makeRoom(
  client: Client,
  { userId, purpose, sessionHash, origin }: Challenge,
  now: Date,
): Promise<void> {
  await execute(client, 'delete from factor_challenges where user_id = $1 and expires_at <= $2', [
    userId,
    now,
  ]);
  if (sessionHash) {
    await execute(
      client,
      `delete from factor_challenges where id_hash in (
         select id_hash from factor_challenges
         where user_id = $1 and purpose = $2 and session_hash = $3
         order by created_at desc offset $4)`,
      [userId, purpose, sessionHash, MAX_OPEN_IN_SESSION - 1],
    );
    return;
  }
  const found = await one<{ count: number; first: Date | null }>(
    client,
    `select count(*) as count, min(expires_at) as first from factor_challenges
     where user_id = $1 and purpose = $2 and origin_hash is not distinct from $3`,
    [userId, purpose, hashOrigin(origin)],
  );
  if (!found?.first || found.count < MAX_OPEN_SIGN_INS) return;
  throw new Refusal('TOO_MANY_LOGINS', {
    message: 'Слишком много начатых входов. Введите код в одном из них или попробуйте позже',
    retryAfterSeconds: Math.max(1, Math.ceil((found.first.getTime() - now.getTime()) / 1000)),
  });
}

/**
 * Creates a challenge.
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function openChallenge(
  client: Client,
  wanted: Challenge,
  now: Date,
): Promise<OpenedChallenge> {
  const { userId, purpose, sessionHash, origin, ...rest } = wanted;
  const challenge = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await makeRoom(client, wanted, now);
  await execute(
    client,
    `insert into factor_challenges (id_hash, user_id, purpose, session_hash, password_hash,
       webauthn_challenge, totp_secret, created_at, expires_at, origin_hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      hashToken(challenge),
      userId,
      purpose,
      sessionHash,
      rest.passwordHash ?? null,
      rest.webauthnChallenge ?? null,
      rest.totpSecret ?? null,
      now,
      expiresAt,
      hashOrigin(origin),
    ],
  );
  return { challenge, expiresAt };
}

/** What an answer to a challenge names. */
export interface AnsweredStep {
  readonly challenge: string;
  readonly purpose: ChallengePurpose;
  readonly sessionHash: Buffer | null;
  readonly now: Date;
}

const CONDITION = `id_hash = $1 and purpose = $2 and session_hash is not distinct from $3
  and expires_at > $4`;

const valuesOf = ({ challenge, purpose, sessionHash, now }: AnsweredStep) => [
  hashToken(challenge),
  purpose,
  sessionHash,
  now,
];

const isOver = () => new Refusal('FACTOR_STEP_OVER');

/**
 * The account of a challenge, before any proof is checked.
 * @throws {Refusal} FACTOR_STEP_OVER for an expired or unknown one, or one of another sign-in
 */
export async function findChallengeOwner(client: Client, step: AnsweredStep): Promise<string> {
  const found = await one<{ userId: string }>(
    client,
    `select user_id as "userId" from factor_challenges where ${CONDITION}`,
    valuesOf(step),
  );
  if (!found) throw isOver();
  return found.userId;
}

/**
 * Uses a challenge up; a refusal in the transaction leaves it open, and of two concurrent calls one gets it.
 * @throws {Refusal} FACTOR_STEP_OVER
 */
export async function redeemChallenge(
  client: PoolClient,
  step: AnsweredStep,
): Promise<AnsweredChallenge> {
  const used = await one<AnsweredChallenge & Record<string, unknown>>(
    client,
    `delete from factor_challenges where ${CONDITION}
     returning user_id as "userId", purpose, session_hash as "sessionHash",
       password_hash as "passwordHash", webauthn_challenge as "webauthnChallenge",
       totp_secret as "totpSecret", tries`,
    valuesOf(step),
  );
  if (!used) throw isOver();
  return used;
}
