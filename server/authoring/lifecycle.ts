import type { TestLifecycle } from '#contract/tests.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { execute, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { drawAll } from '#server/passing/draws.ts';
import { rememberShown } from '#server/tests/visible.ts';
import { countAttempts, lockEditable, mayBeBegunOffline } from './editable.ts';
import { requireReady } from './ready.ts';
import { publishQuestions, readWorkingCopy } from './working-copy.ts';

/**
 * Publishes, archives or restores. Publishes the working copy too, except when archiving. The version does not change
 * while the questions do not, so an edit of the fields overwrites nothing.
 * @throws {Refusal} TEST_NOT_READY with what is missing, TEST_HAS_ATTEMPTS
 */
export function setLifecycleAs(
  deps: Deps,
  caller: AuthenticatedUser,
  to: { testId: string; lifecycle: TestLifecycle },
  now: Date,
): Promise<{ lifecycle: TestLifecycle; version: number }> {
  return transaction(deps.pool, async (client) => {
    const test = await lockEditable(client, caller, to.testId);
    const { lifecycle } = to;
    if (test.lifecycle === lifecycle) return { lifecycle, version: test.version };
    const copy = await readWorkingCopy(client, test);
    const { questions } = copy;
    if (lifecycle === 'active') requireReady(questions);
    if (lifecycle === 'draft' && (await countAttempts(client, test.id)) > 0) {
      throw new Refusal('TEST_HAS_ATTEMPTS');
    }
    if (lifecycle === 'draft' && (await mayBeBegunOffline(client, test.id))) {
      throw new Refusal('TEST_HAS_ATTEMPTS', {
        message: 'Этот тест могли уже начать без сети: код показан. Черновиком он больше не станет',
      });
    }
    await rememberShown(client, test, now);
    await execute(
      client,
      'update tests set lifecycle = $2, updated_at = $3, updated_by = $4 where id = $1',
      [test.id, lifecycle, now, caller.userId],
    );
    const act =
      lifecycle === 'archived'
        ? 'testArchived'
        : test.lifecycle === 'archived'
          ? 'testRestored'
          : null;
    if (act !== null)
      await recordAct(client, deps, actOn('test', test.id, { actorId: caller.userId, act }), now);
    if (lifecycle !== 'archived' && copy.hasUnpublished) {
      const version = await publishQuestions(client, deps, test, { questions, caller, now });
      return { lifecycle, version };
    }
    if (lifecycle === 'active' && test.contentId !== null) {
      await drawAll(client, deps, test.contentId);
    }
    return { lifecycle, version: test.version };
  });
}

/**
 * Deletes a test. A test with attempts, begun without a network included, is archived instead, since attempts are
 * retained.
 */
export function deleteTestAs(
  deps: Deps,
  caller: AuthenticatedUser,
  testId: string,
  now: Date,
): Promise<{ outcome: 'deleted' | 'archived' }> {
  return transaction(deps.pool, async (client) => {
    const test = await lockEditable(client, caller, testId, 'owner');
    const record = (act: 'testArchived' | 'testDeleted') =>
      recordAct(client, deps, actOn('test', test.id, { actorId: caller.userId, act }), now);
    // Deleted attempts count here: they can be restored.
    const anyAttempt = await client.query('select 1 from attempts where test_id = $1 limit 1', [
      test.id,
    ]);
    if (anyAttempt.rowCount === 0 && !(await mayBeBegunOffline(client, test.id))) {
      await execute(client, 'update tests set content_id = null where id = $1', [test.id]);
      await execute(client, 'delete from tests where id = $1', [test.id]);
      await record('testDeleted');
      return { outcome: 'deleted' };
    }
    await execute(
      client,
      `update tests set lifecycle = 'archived', updated_at = $2, updated_by = $3 where id = $1`,
      [test.id, now, caller.userId],
    );
    if (test.lifecycle !== 'archived') await record('testArchived');
    return { outcome: 'archived' };
  });
}
