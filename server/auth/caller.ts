import { hash } from 'node:crypto';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import type { Role, Route } from '#contract/route.ts';
import type { Pool, PoolClient } from 'pg';
import { batchCalls } from '#server/db/batch-calls.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { mustSetUpFactor } from './second-factor/factors.ts';

/** The caller, read from the database at every call: a block or a new role takes effect at once. */
export interface AuthenticatedUser {
  userId: string;
  userName: string;
  email: string;
  role: RoleNumber;
  tokenHash: Buffer;
  /** When the sign-in ends unless it is used again. */
  expiresAt: Date;
  /** The last proof of identity in this sign-in; null: before proofs were recorded. */
  confirmedAt: Date | null;
  /** The role requires a second factor, and the caller has none yet. */
  mustSetUpFactor: boolean;
}

const DAY_MS = 86_400_000;
export const IDLE_DAYS = 3;
const TOUCH_EVERY_MS = 60_000;

/** When a sign-in ends: at its expiry, or after the idle days without use. */
export const sessionEnd = (expiresAt: Date, lastUsedAt: Date): Date =>
  new Date(Math.min(expiresAt.getTime(), lastUsedAt.getTime() + IDLE_DAYS * DAY_MS));

/** Only this hash of a token is stored. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

const bearer = (authorization: string | undefined): string | null =>
  /^Bearer ([\w-]{20,200})$/i.exec(authorization ?? '')?.[1] ?? null;

interface SessionRow {
  user_id: string;
  user_name: string;
  email: string;
  role: RoleNumber;
  blocked_at: Date | null;
  last_used_at: Date;
  expires_at: Date;
  confirmed_at: Date | null;
}

const FIND_SESSIONS = {
  name: 'find-sessions',
  text: `select asked.place, s.user_id, u.user_name, u.email, u.role, u.blocked_at, s.last_used_at,
                s.expires_at, s.confirmed_at
           from unnest((select $1::bytea[])) with ordinality as asked (token_hash, place)
           cross join lateral (select * from sessions where token_hash = asked.token_hash limit 1) s
           cross join lateral (select * from users where id = s.user_id limit 1) u`,
};

/** Sign-ins of one query at most. */
const MAX_SESSIONS = 100;
const QUERIES_AT_ONCE = 2;

/**
 * The caller of an `Authorization` header at a moment.
 * @throws {Refusal} UNAUTHORIZED without a valid token, ACCOUNT_BLOCKED for a blocked account
 */
export type Authenticate = (
  authorization: string | undefined,
  now: Date,
) => Promise<AuthenticatedUser>;

/** Reads sign-ins from the database; calls that arrive while one is being read share the next query. */
export function createAuthenticate(pool: Pool): Authenticate {
  const findSession = batchCalls(
    async (tokenHashes: readonly Buffer[]): Promise<(SessionRow | undefined)[]> => {
      const found = await rows<SessionRow & { place: number }>(pool, FIND_SESSIONS, [tokenHashes]);
      const byPlace = new Map(found.map((session) => [session.place, session]));
      return tokenHashes.map((_, index) => byPlace.get(index + 1));
    },
    { most: MAX_SESSIONS, atOnce: QUERIES_AT_ONCE },
  );

  return async (authorization, now) => {
    const token = bearer(authorization);
    if (token === null) throw new Refusal('UNAUTHORIZED');
    const tokenHash = hashToken(token);
    const session = await findSession(tokenHash);
    if (!session || sessionEnd(session.expires_at, session.last_used_at) <= now)
      throw new Refusal('UNAUTHORIZED');
    if (session.blocked_at) throw new Refusal('ACCOUNT_BLOCKED');
    const isTouched = now.getTime() - session.last_used_at.getTime() > TOUCH_EVERY_MS;
    if (isTouched)
      await execute(
        pool,
        'update sessions set last_used_at = greatest(last_used_at, $2) where token_hash = $1',
        [tokenHash, now],
      );
    const userId = session.user_id;
    return {
      userId,
      userName: session.user_name,
      email: session.email,
      role: session.role,
      tokenHash,
      expiresAt: sessionEnd(session.expires_at, isTouched ? now : session.last_used_at),
      confirmedAt: session.confirmed_at,
      mustSetUpFactor: await mustSetUpFactor(pool, { userId, role: session.role }),
    };
  };
}

/**
 * Locks the caller's account until the transaction ends, before any other lock. An erasure waits and then removes what
 * the call wrote; after an erasure nothing is written.
 * @throws {Refusal} UNAUTHORIZED when the account was erased after authentication
 */
export async function lockCaller(client: PoolClient, userId: string): Promise<void> {
  const locked = await one(
    client,
    'select 1 from users where id = $1 and erased_at is null for key share',
    [userId],
  );
  if (!locked) throw new Refusal('UNAUTHORIZED');
}

/** Teacher-level access: teachers and admins. */
const isTeacherLevel = (role: RoleNumber): boolean => role === ROLE.teacher || role === ROLE.admin;

/** @throws {Refusal} FORBIDDEN when the role does not reach the access */
export function requireRole(caller: AuthenticatedUser, access: Role): void {
  if (access === 'teacher' && !isTeacherLevel(caller.role)) throw new Refusal('FORBIDDEN');
  if (access === 'admin' && caller.role !== ROLE.admin) throw new Refusal('FORBIDDEN');
}

/** How long a proof of identity is valid. */
export const CONFIRMED_MS = 5 * 60_000;

/**
 * @throws {Refusal} CONFIRMATION_REQUIRED without a recent proof of identity
 */
export function requireConfirmation(
  caller: Pick<AuthenticatedUser, 'confirmedAt'>,
  now: Date,
): void {
  const at = caller.confirmedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (now.getTime() - at > CONFIRMED_MS) throw new Refusal('CONFIRMATION_REQUIRED');
}

/**
 * The requirements of a route for second factors: one must be set up if the role requires it, and irreversible acts
 * need a fresh proof. Answers of a running attempt are accepted in any case.
 * @throws {Refusal} SECOND_FACTOR_SETUP_REQUIRED, CONFIRMATION_REQUIRED
 */
export function requireFactor(
  caller: AuthenticatedUser,
  {
    beforeSetup,
    confirmation,
    ownership,
  }: Pick<Route, 'beforeSetup' | 'confirmation' | 'ownership'>,
  now: Date,
): void {
  if (caller.mustSetUpFactor && !beforeSetup && ownership !== 'attemptOwner')
    throw new Refusal('SECOND_FACTOR_SETUP_REQUIRED');
  if (confirmation === 'everyone' || (confirmation === 'admin' && caller.role === ROLE.admin))
    requireConfirmation(caller, now);
}
