import { randomBytes } from 'node:crypto';
import { ROLE, type RoleNumber, type SignedIn, type User } from '#contract/auth.ts';
import { type Client, execute, one } from '#server/db/query.ts';
import { IDLE_DAYS, hashToken, sessionEnd } from './caller.ts';

const DAY_MS = 86_400_000;

export interface UserRow {
  id: string;
  email: string;
  user_name: string;
  role: RoleNumber;
}

export const wireUser = ({ id, email, user_name, role }: UserRow): User => ({
  userId: id,
  userName: user_name,
  email,
  role,
  isAdmin: role === ROLE.admin,
});

/** How many characters of the `User-Agent` are stored. */
const USER_AGENT_CHARACTERS = 300;

const insertSession = {
  name: 'open-session',
  text: `insert into sessions (token_hash, user_id, created_at, last_used_at, expires_at, user_agent,
           confirmed_at)
         values ($1, $2, $3, $3, $4, $5, $3)`,
};

/** Live sign-ins of one account; the oldest unused one ends. */
export const MAX_SESSIONS = 50;

const endOldest = {
  name: 'end-oldest-sessions',
  text: `delete from sessions where token_hash in (
           select token_hash from sessions where user_id = $1
           order by last_used_at desc, created_at desc, token_hash offset $2)`,
};

/** Signs a user in: a new token of 256 bits, of which only the hash is stored. */
export async function openSession(
  client: Client,
  user: UserRow,
  now: Date,
  sessionDays: number,
  userAgent?: string,
): Promise<SignedIn> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + sessionDays * DAY_MS);
  const agent = userAgent?.slice(0, USER_AGENT_CHARACTERS) ?? null;
  await execute(client, endOldest, [user.id, MAX_SESSIONS - 1]);
  await execute(client, insertSession, [hashToken(token), user.id, now, expiresAt, agent]);
  return { token, expiresAt: sessionEnd(expiresAt, now).toISOString(), user: wireUser(user) };
}

/**
 * Extends a sign-in to at least `until`, idle or not; never shortens it.
 * @returns until when it is valid now if it is not used any more
 */
export async function extendSession(client: Client, tokenHash: Buffer, until: Date): Promise<Date> {
  // A last use in the future defers the idle limit until then. Most sign-ins last longer anyway: nothing is written.
  const session = await one<{ expires_at: Date; last_used_at: Date }>(
    client,
    `with extended as (
       update sessions
          set expires_at = greatest(expires_at, $2), last_used_at = greatest(last_used_at, $3)
        where token_hash = $1 and (expires_at < $2 or last_used_at < $3)
        returning expires_at, last_used_at
     )
     select * from extended
     union all
     select expires_at, last_used_at from sessions
     where token_hash = $1 and not exists (select from extended)`,
    [tokenHash, until, new Date(until.getTime() - IDLE_DAYS * DAY_MS + 1_000)],
  );
  return session ? sessionEnd(session.expires_at, session.last_used_at) : until;
}

export async function closeSession(client: Client, tokenHash: Buffer): Promise<void> {
  await execute(client, 'delete from sessions where token_hash = $1', [tokenHash]);
}

/** Records a fresh proof of identity in a sign-in. */
export async function confirmSession(client: Client, tokenHash: Buffer, now: Date): Promise<void> {
  await execute(client, 'update sessions set confirmed_at = $2 where token_hash = $1', [
    tokenHash,
    now,
  ]);
}
