import type { PoolClient } from 'pg';
import { ROLE } from '#contract/auth.ts';
import { lockAccount } from '#server/admin/accounts.ts';
import { lockAdmins, requireAnother, requireMayTake } from '#server/admin/admins.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import type { AccountChange } from '#server/admin/change-account.ts';
import { archiveTeaching, passTeaching } from '#server/admin/teaching.ts';
import { forgiveAccount } from '#server/auth/failures.ts';
import { removeFactors } from '#server/auth/second-factor/factors.ts';
import { execute, one, repeatDeadlocked, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { createUploadStore } from '#server/passing/upload-store.ts';
import { eraseTeaching } from './erase-teaching.ts';

/** Replaces the name where results of others depend on the row. */
const NO_NAME = 'Удалённый пользователь';

const FOREIGN_KEY_VIOLATION = '23503';

/** Erases attempts with their data, assignments and shared access; returns ids of the handed-in files. */
async function erasePassing(client: PoolClient, userId: string): Promise<string[]> {
  const uploads = await rows<{ id: string }>(
    client,
    'select u.id from uploads u join attempts x on x.id = u.attempt_id where x.user_id = $1',
    [userId],
  );
  for (const table of [
    'attempts',
    'offers',
    'readiness_reports',
    'start_keys',
    'stray_operations',
    'assignments',
    'personal_terms',
    'group_members',
    'former_members',
    'test_shares',
    'group_shares',
    'bank_shares',
  ])
    await execute(client, `delete from ${table} where user_id = $1`, [userId]);
  return uploads.map(({ id }) => id);
}

/** Erases projects, and the person's ratings and views of others' projects. Unnamed files are swept. */
async function eraseProjects(client: PoolClient, userId: string): Promise<void> {
  const ofPerson = (sql: string) => execute(client, sql, [userId]);
  await ofPerson('delete from projects where owner_id = $1');
  // In one order, so that concurrent changes of several do not deadlock.
  await ofPerson(
    `select 1 from projects where id in (
       select project_id from project_ratings where user_id = $1
       union select project_id from project_views where user_id = $1) order by id for update`,
  );
  await ofPerson(
    `update projects p set views = greatest(0, p.views - seen.days)
     from (select project_id, count(*) as days from project_views where user_id = $1
           group by project_id) seen
     where seen.project_id = p.id`,
  );
  // A trigger subtracts the ratings from the sums.
  await ofPerson('delete from project_ratings where user_id = $1');
  await ofPerson('delete from project_views where user_id = $1');
}

/** Deletes the account unless data of others depend on it. Returns whether it is deleted. */
export async function deleteAccount(client: PoolClient, userId: string): Promise<boolean> {
  await execute(client, 'savepoint whole');
  try {
    await execute(client, 'delete from users where id = $1', [userId]);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== FOREIGN_KEY_VIOLATION) throw error;
  }
  await execute(client, 'rollback to savepoint whole');
  return false;
}

/** Removes the name and the sign-in from an account that must stay as a row. */
async function anonymiseAccount(client: PoolClient, userId: string, now: Date): Promise<void> {
  await execute(
    client,
    `update users set email = id || '@erased.invalid', user_name = $2, role = $3,
       password_hash = 'erased', blocked_at = coalesce(blocked_at, $4), erased_at = $4
     where id = $1`,
    [userId, NO_NAME, ROLE.student, now],
  );
}

/** What becomes of the tests, classes, bank and templates of an erased person. */
export type TeachingAfter = { readonly successorId: string } | 'archived' | 'erased';

/** Everything but the account; returns ids of the handed-in files. */
async function eraseTraces(
  client: PoolClient,
  userId: string,
  teaching: TeachingAfter,
): Promise<string[]> {
  const uploads = await erasePassing(client, userId);
  await eraseProjects(client, userId);
  if (teaching !== 'archived') await eraseTeaching(client, userId);
  // Acts stay without a name; addresses of sign-ins, successful or not, do not.
  await execute(
    client,
    'update audit_log set address = null, gathers = null where person_id = $1',
    [userId],
  );
  return uploads;
}

/** Erases what a call authenticated before the erasure wrote since to an account that stays without a name. */
async function eraseLateTraces(
  client: PoolClient,
  userId: string,
  teaching: TeachingAfter,
): Promise<string[]> {
  const left = await one(client, 'select 1 from users where id = $1 for update', [userId]);
  return left ? eraseTraces(client, userId, teaching) : [];
}

/** Passes or archives what the person owns for teaching. Returns whether it stays with the account. */
async function settleTeaching(
  client: PoolClient,
  deps: Deps,
  change: AccountChange,
  teaching: TeachingAfter,
): Promise<boolean> {
  const doing = { ...change, deps };
  if (teaching === 'erased') return false;
  if (teaching !== 'archived') {
    await passTeaching(client, doing, teaching.successorId);
    return false;
  }
  return Object.values(await archiveTeaching(client, doing)).some((count) => count > 0);
}

/**
 * Erases a person: account, sign-ins, attempts with answers and files, memberships, projects, and, unless they
 * pass to a successor or are archived, tests that nobody else passed, bank and templates. Rows on which results of
 * others depend stay without a name.
 * @throws {Refusal} NOT_FOUND, LAST_ADMIN, VALIDATION for a successor who may not own tests; OWN_ACCOUNT where an
 * administrator asks
 */
export async function erasePerson(
  deps: Deps,
  change: AccountChange,
  { as, teaching }: { as: 'admin' | 'oneself'; teaching: TeachingAfter },
): Promise<void> {
  const { actorId, userId, now } = change;
  const erase = async (client: PoolClient) => {
    const admins = await lockAdmins(client);
    const account = await lockAccount(client, userId);
    if (as === 'oneself') requireAnother(admins, userId);
    else requireMayTake(admins, { userId: actorId }, userId);
    const hasTeaching = await settleTeaching(client, deps, change, teaching);
    await recordAct(client, deps, actOn('user', userId, { actorId, act: 'userErased' }), now);
    await execute(client, 'delete from sessions where user_id = $1', [userId]);
    await removeFactors(client, userId);
    await execute(client, 'delete from import_batches where actor_id = $1', [userId]);
    await forgiveAccount(client, account.email.toLowerCase());
    const uploads = await eraseTraces(client, userId, teaching);
    if (hasTeaching || !(await deleteAccount(client, userId)))
      await anonymiseAccount(client, userId, now);
    return uploads;
  };
  const uploads = await repeatDeadlocked(() => transaction(deps.pool, erase));
  const late = await repeatDeadlocked(() =>
    transaction(deps.pool, (client) => eraseLateTraces(client, userId, teaching)),
  );
  const store = createUploadStore(deps.dataDir);
  for (const id of [...uploads, ...late])
    await store
      .remove(id)
      // Nothing names the file any more: the next sweep removes it.
      .catch((error: unknown) => deps.log.warn({ err: error }, 'an erased file is still there'));
}
