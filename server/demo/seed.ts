import type { PoolClient, Pool } from 'pg';
import { hashPassword } from '#server/auth/passwords.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import { demoPlan, type PlannedAttempt } from './plan.ts';
import type { PlannedTest } from './plan-tests.ts';
import { attemptId, plantAttempt } from './seed-attempts.ts';
import { personId } from './demo-accounts.ts';
import { seedPeople } from './seed-people.ts';
import { seedTest, testId } from './seed-tests.ts';
import { ownersWithChanges } from './owners-with-changes.ts';

const SEED_LOCK = 4_071_805_322;

/** The demo accounts' password is public: they must never get into a database in real use. */
async function refuseForeign(client: PoolClient): Promise<void> {
  const stranger = await one(client, 'select 1 from users limit 1');
  const own = await one(client, 'select 1 from users where id = $1', [personId('admin@demo.ru')]);
  if (stranger && !own)
    throw new OperatorError(
      'В этой базе уже есть учётные записи, и она не демонстрационная. Для демонстрации укажите другую DATA_DIR или DATABASE_URL.',
    );
}

const ownerKey = ({ testKey, studentEmail }: PlannedAttempt) =>
  `${testId(testKey)}/${personId(studentEmail)}`;

async function replaceAttempts(
  client: PoolClient,
  test: PlannedTest,
  attempts: readonly PlannedAttempt[],
  changedOwners: ReadonlySet<string>,
  dataDir: string,
): Promise<void> {
  const fresh = attempts.filter((planned) => !changedOwners.has(ownerKey(planned)));
  await execute(client, 'delete from attempts where id = any($1::uuid[])', [fresh.map(attemptId)]);
  for (const planned of fresh) await plantAttempt(client, test, planned, dataDir);
}

/** A remaining attempt must not start before its test's opening. */
async function openForRemainingAttempts(client: PoolClient): Promise<void> {
  await execute(
    client,
    `update tests t set start_time = least(t.start_time, first.at)
       from (select test_id, min(started_at) as at from attempts group by test_id) first
      where first.test_id = t.id`,
  );
}

/**
 * Plants the demo, or moves it to today. All dates of the plan depend on `now`, so each start plants the tests'
 * times and the attempts anew; attempts that people changed stay, together with everything else of that person
 * on that test, and so do edited tests.
 * @param password of every demo account from this start on
 * @throws {OperatorError} when the database has data of its own
 */
export async function seedDemo(
  pool: Pool,
  options: { now: Date; password: string; dataDir: string },
): Promise<void> {
  const { now, dataDir } = options;
  const passwordHash = await hashPassword(options.password);
  const plan = demoPlan(now);
  await transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [SEED_LOCK]);
    await refuseForeign(client);
    const changedOwners = await ownersWithChanges(client, plan);
    await seedPeople(client, passwordHash, now);
    for (const test of plan.tests) {
      if (!(await seedTest(client, test))) continue;
      const attempts = plan.attempts.filter(({ testKey }) => testKey === test.key);
      await replaceAttempts(client, test, attempts, changedOwners, dataDir);
    }
    await openForRemainingAttempts(client);
  });
}
