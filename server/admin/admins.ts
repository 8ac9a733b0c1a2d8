import type { PoolClient } from 'pg';
import { ROLE } from '#contract/auth.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { execute, rows } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

const ADMINS_LOCK = 4_071_805_323;

/**
 * Ids of the administrators who are not blocked, locked until the transaction ends: two administrators who
 * remove each other are serialized.
 */
export async function lockAdmins(client: PoolClient): Promise<ReadonlySet<string>> {
  await execute(client, 'select pg_advisory_xact_lock($1)', [ADMINS_LOCK]);
  const found = await rows<{ id: string }>(
    client,
    'select id from users where role = $1 and blocked_at is null',
    [ROLE.admin],
  );
  return new Set(found.map(({ id }) => id));
}

/**
 * Checks the caller's administrator rights again within the transaction: they may have been removed since the call
 * arrived.
 * @throws {Refusal} FORBIDDEN
 */
export async function requireStillAdmin(
  client: PoolClient,
  userId: string,
): Promise<ReadonlySet<string>> {
  const admins = await lockAdmins(client);
  if (!admins.has(userId)) throw new Refusal('FORBIDDEN');
  return admins;
}

/**
 * @throws {Refusal} LAST_ADMIN when no other administrator would remain
 */
export function requireAnother(admins: ReadonlySet<string>, userId: string): void {
  if (admins.has(userId) && admins.size === 1) throw new Refusal('LAST_ADMIN');
}

/**
 * Checks that `caller` may remove rights or the account of `userId`.
 * @throws {Refusal} FORBIDDEN when the caller is no longer an administrator, LAST_ADMIN, OWN_ACCOUNT
 */
export function requireMayTake(
  admins: ReadonlySet<string>,
  caller: Pick<AuthenticatedUser, 'userId'>,
  userId: string,
): void {
  if (!admins.has(caller.userId)) throw new Refusal('FORBIDDEN');
  requireAnother(admins, userId);
  if (caller.userId === userId) throw new Refusal('OWN_ACCOUNT');
}
