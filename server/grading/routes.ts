import type { FastifyInstance } from 'fastify';
import {
  correctKey,
  decideTestHeld,
  listGradeLog,
  listGrading,
  listMissing,
  listTestHeld,
} from '#contract/grading.ts';
import { bringAnswers, bringFile } from '#contract/rescue.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { taughtAttempt } from '#server/passing/access.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import { createUploadStore } from '#server/passing/upload-store.ts';
import { decideHeldOfTest, testHeld } from './held.ts';
import { correctTheKey } from './key-correction.ts';
import { gradeLog } from './log.ts';
import { missingOf } from './missing.ts';
import { gradingQueue } from './queue.ts';
import { journalRescued, storeRescuedFile } from './rescue.ts';
import { taughtTest } from './taught-test.ts';

export function registerGrading(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, listGrading, async ({ caller, params, query, now }) => {
    const test = await taughtTest(pool, caller, params.id);
    await closeDueAttempts(pool, now, test.id);
    return gradingQueue(pool, test, query, now);
  });

  handle(app, deps, listGradeLog, async ({ caller, params }) => {
    const attempt = await taughtAttempt(pool, caller, params.attemptId);
    return gradeLog(pool, attempt.id);
  });

  handle(app, deps, listTestHeld, async ({ caller, params, query, now }) => {
    const test = await taughtTest(pool, caller, params.id);
    await closeDueAttempts(pool, now, test.id);
    return testHeld(pool, test, query);
  });

  handle(
    app,
    deps,
    decideTestHeld,
    async ({ caller, params, body, now }) => {
      const test = await taughtTest(pool, caller, params.id);
      return decideHeldOfTest(deps, test, body, { at: now, actorId: caller.userId });
    },
    { admit: ({ caller, params }) => taughtTest(pool, caller, params.id) },
  );

  handle(app, deps, listMissing, async ({ caller, params, query, now }) => {
    const test = await taughtTest(pool, caller, params.id);
    await closeDueAttempts(pool, now, test.id);
    return missingOf(pool, test, query, now);
  });

  handle(
    app,
    deps,
    correctKey,
    async ({ caller, params, body, now }) => {
      const test = await taughtTest(pool, caller, params.id, 'edit');
      return correctTheKey(pool, deps, test, body, { at: now, actorId: caller.userId });
    },
    { admit: ({ caller, params }) => taughtTest(pool, caller, params.id, 'edit') },
  );

  handle(
    app,
    deps,
    bringAnswers,
    async ({ caller, params, body, now }) => {
      const test = await taughtTest(pool, caller, params.id);
      return journalRescued(deps, { testId: test.id, attemptId: params.attemptId }, body, now);
    },
    { admit: ({ caller, params }) => taughtTest(pool, caller, params.id) },
  );

  const store = createUploadStore(deps.dataDir);
  handle(app, deps, bringFile, async ({ caller, params, query, bytes, now }) => {
    const test = await taughtTest(pool, caller, params.id);
    return storeRescuedFile(deps, store, { ...params, testId: test.id }, query, bytes, now);
  });
}
