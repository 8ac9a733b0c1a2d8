import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { Answer } from '#contract/answers.ts';
import {
  addTime,
  decideHeld,
  deleteAttempt,
  gradeItem,
  listHeld,
  restoreAttempt,
} from '#contract/attempts.ts';
import { actOnAttempt, recordAct } from '#server/admin/audit.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { taughtAttempt } from '#server/passing/access.ts';
import {
  attemptClosesAt,
  laterAttempts,
  lockAttempt,
  lockStarts,
  type Attempt,
} from '#server/passing/attempt.ts';
import { closeIfDue } from '#server/passing/close.ts';
import { rebuildAnswers, rescore } from '#server/passing/counting.ts';
import { heldOperations } from '#server/passing/journal.ts';
import { grade } from './grade.ts';
import { moveDeadline } from './move-deadline.ts';

/** Runs on an attempt of the caller's test, locked exclusively. */
async function onTaught<T>(
  deps: Deps,
  caller: AuthenticatedUser,
  attemptId: string,
  run: (client: PoolClient, attempt: Attempt) => Promise<T>,
  needed: 'grade' | 'edit' = 'grade',
): Promise<T> {
  const found = await taughtAttempt(deps.pool, caller, attemptId, needed);
  return transaction(deps.pool, async (client) => {
    await lockStarts(client, found.testId, found.userId);
    const attempt = await lockAttempt(client, attemptId, 'update');
    if (!attempt) throw new Refusal('NOT_FOUND');
    return run(client, attempt);
  });
}

/** Whether the same student has a later running attempt: only one may run. */
async function nextRuns(client: PoolClient, attempt: Attempt, now: Date): Promise<boolean> {
  const next = await one(
    client,
    `select 1 from attempts x
     where id = $1 and exists (${laterAttempts('x', '$2')} and later.ended is null)`,
    [attempt.id, now],
  );
  return next !== null;
}

/** Refuses a caller who does not teach the attempt's test. */
const admitTeacherOf =
  ({ pool }: Deps) =>
  ({ caller, params }: { caller: AuthenticatedUser; params: { attemptId: string } }) =>
    taughtAttempt(pool, caller, params.attemptId);

export function registerAttempts(app: FastifyInstance, deps: Deps): void {
  registerExtraTime(app, deps);
  registerHeldAnswers(app, deps);
  registerGrades(app, deps);
  registerDeletion(app, deps);
}

function registerExtraTime(app: FastifyInstance, deps: Deps): void {
  handle(
    app,
    deps,
    addTime,
    async ({ caller, params, body, now }) => {
      const by = { at: now, actorId: caller.userId };
      const moved = await onTaught(deps, caller, params.attemptId, (client, attempt) =>
        moveDeadline(client, deps, attempt, body.minutes, by),
      );
      return {
        deadline: moved.deadline.toISOString(),
        countsUntil: attemptClosesAt(moved).toISOString(),
      };
    },
    { admit: admitTeacherOf(deps) },
  );
}

function registerHeldAnswers(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listHeld, async ({ caller, params }) => {
    const attempt = await taughtAttempt(deps.pool, caller, params.attemptId);
    const held = await heldOperations(deps.pool, [attempt.id]);
    const all = await one<{ count: number }>(
      deps.pool,
      `select count(*) as count from operations
       where attempt_id = $1 and outcome = 'held' and kind = 'answer'`,
      [attempt.id],
    );
    return {
      items: held.map((operation) => ({
        operationId: operation.id,
        questionId: operation.questionId,
        answer: operation.body as Answer,
        writtenAt: operation.writtenAt?.toISOString() ?? null,
        seenServerAt: operation.seenServerAt?.toISOString() ?? null,
        receivedAt: operation.receivedAt.toISOString(),
        afterResult: operation.afterResult,
        decision: operation.decision,
      })),
      total: all?.count ?? 0,
    };
  });

  handle(
    app,
    deps,
    decideHeld,
    async ({ caller, params, body, now }) =>
      onTaught(deps, caller, params.attemptId, async (client, attempt) => {
        const current = await closeIfDue(client, attempt, now);
        const decided = await execute(
          client,
          `update operations set decision = $3, decided_by = $4, decided_at = $5
         where attempt_id = $1 and id = any($2) and outcome = 'held' and kind = 'answer'`,
          [attempt.id, body.operationIds, body.decision, caller.userId, now],
        );
        if (decided === 0) throw new Refusal('NOT_FOUND');
        const details = { decision: body.decision, answers: decided };
        const act = { actorId: caller.userId, act: 'heldDecided', details } as const;
        await recordAct(client, deps, actOnAttempt(attempt, act), now);
        await rebuildAnswers(client, attempt.id);
        if (current.ended === null) return { score: null };
        return {
          score: await rescore(client, current, `held:${body.decision}`, now, caller.userId),
        };
      }),
    { admit: admitTeacherOf(deps) },
  );
}

function registerGrades(app: FastifyInstance, deps: Deps): void {
  handle(
    app,
    deps,
    gradeItem,
    async ({ caller, params, body, now }) =>
      onTaught(deps, caller, params.attemptId, async (client, attempt) => {
        const current = await closeIfDue(client, attempt, now);
        if (current.ended === null) {
          throw new Refusal('ATTEMPT_NOT_RUNNING', {
            message: 'Попытка ещё идёт: оценить её можно после завершения',
          });
        }
        const by = { at: now, actorId: caller.userId };
        const { reply, change } = await grade(client, current, body, by);
        if (change) {
          const act = { actorId: by.actorId, act: 'gradeChanged', details: change } as const;
          await recordAct(client, deps, actOnAttempt(attempt, act), now);
        }
        return reply;
      }),
    { admit: admitTeacherOf(deps) },
  );
}

function registerDeletion(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, deleteAttempt, async ({ caller, params, now }) =>
    onTaught(
      deps,
      caller,
      params.attemptId,
      async (client, attempt) => {
        await execute(
          client,
          'update attempts set deleted_at = coalesce(deleted_at, $2) where id = $1',
          [attempt.id, now],
        );
        const act = { actorId: caller.userId, act: 'attemptDeleted' } as const;
        if (!attempt.deletedAt) await recordAct(client, deps, actOnAttempt(attempt, act), now);
        return {};
      },
      'edit',
    ),
  );

  handle(app, deps, restoreAttempt, async ({ caller, params, now }) =>
    onTaught(
      deps,
      caller,
      params.attemptId,
      async (client, attempt) => {
        if (attempt.ended === null && (await nextRuns(client, attempt, now))) {
          throw new Refusal('NEXT_ATTEMPT_EXISTS', {
            message: 'Следующая попытка уже идёт. Верните эту, когда она закончится',
          });
        }
        // For any count: a student's deleted attempt is restored even though another one has started since.
        await execute(client, 'update attempts set deleted_at = null where id = $1', [attempt.id]);
        const act = { actorId: caller.userId, act: 'attemptRestored' } as const;
        if (attempt.deletedAt) await recordAct(client, deps, actOnAttempt(attempt, act), now);
        return {};
      },
      'edit',
    ),
  );
}
