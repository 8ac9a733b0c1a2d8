import type { PoolClient } from 'pg';
import type { AccessLevel } from '#contract/sharing.ts';
import { type AuthenticatedUser, lockCaller } from '#server/auth/caller.ts';
import { one } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { TEST_COLUMNS, type TestColumns } from '#server/tests/access.ts';
import { requireLevel } from '#server/tests/level.ts';

/** A test with the fields that its editing rules need. */
export interface EditableTest extends TestColumns {
  /** The version of the last change of anything but the questions. */
  readonly fieldsVersion: number;
  readonly updatedAt: Date;
  /** Name of the last editor; null: unknown. */
  readonly updatedBy: string | null;
}

/**
 * The test, locked until the transaction ends: edits are serialized.
 * @throws {Refusal} UNAUTHORIZED for a caller who was erased meanwhile, NOT_FOUND for a deleted test or
 * somebody else's
 */
export async function lockEditable(
  client: PoolClient,
  caller: Pick<AuthenticatedUser, 'userId' | 'role'>,
  id: string,
  needed: AccessLevel = 'edit',
): Promise<EditableTest> {
  await lockCaller(client, caller.userId);
  const test = await one<EditableTest>(
    client,
    `select ${TEST_COLUMNS}, t.fields_version as "fieldsVersion", t.updated_at as "updatedAt",
       (select user_name from users where id = t.updated_by) as "updatedBy"
     from tests t where t.id = $1 for update of t`,
    [id],
  );
  if (!test) throw new Refusal('NOT_FOUND');
  // Checked under the lock: meanwhile the test may have got another owner.
  await requireLevel(client, caller, id, needed);
  return test;
}

/** Everybody's attempts on a test, except deleted ones. */
export async function countAttempts(client: PoolClient, testId: string): Promise<number> {
  const found = await one<{ count: number }>(
    client,
    'select count(*) as count from attempts where test_id = $1 and deleted_at is null',
    [testId],
  );
  return found?.count ?? 0;
}

/** Whether devices hold offers whose code was shown: attempts of which the server knows nothing may be running. */
export async function mayBeBegunOffline(client: PoolClient, testId: string): Promise<boolean> {
  const found = await one(
    client,
    // A code that was removed with its class, or replaced, may have been shown.
    `select 1 from offers o left join start_codes c on c.id = o.code_id
     where o.test_id = $1
       and (c.id is null or c.shown_at is not null or o.code_version < c.version) limit 1`,
    [testId],
  );
  return found !== null;
}
