import type { FastifyInstance } from 'fastify';
import { getResult, listResults } from '#contract/results.ts';
import { countedAttempts } from '#domain/counted-attempts.ts';
import { attemptState, isEnded } from '#domain/deadline.ts';
import { countedPoints } from '#domain/status.ts';
import { rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { ATTEMPT_COLUMNS, attemptTime, type Attempt } from '#server/passing/attempt.ts';
import { closedIfDue } from '#server/passing/close.ts';
import { readableTest, type TestAccess } from '#server/tests/access.ts';
import { mayManage } from '#server/tests/level.ts';
import { closedAtOf, latestCloses, maySeePart } from '#server/tests/visible.ts';
import { attemptResult } from './attempt-result.ts';
import { readAttempt } from './reading.ts';

type Row = Attempt & {
  readonly points: number | null;
  readonly gradedMax: number | null;
  readonly maxPoints: number;
};

/** Teachers see points once computed; the student when the teacher's choice allows it. */
function mayShowPoints(
  test: TestAccess,
  attempt: Attempt,
  isTeacher: boolean,
  closedAt: number | null,
  now: Date,
) {
  if (isTeacher) return isEnded(attemptTime(attempt), now.getTime());
  return maySeePart(test.visibility.points, attempt, closedAt, now);
}

export function registerResults(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listResults, async ({ caller, params, query, now }) => {
    const test = await readableTest(deps.pool, caller, params.id);
    if (!test) throw new Refusal('NOT_FOUND');
    const userId = query.userId ?? caller.userId;
    const isTeacher = mayManage(caller, test, 'results');
    if (userId !== caller.userId && !isTeacher) throw new Refusal('NOT_FOUND');
    const select = () =>
      rows<Row>(
        deps.pool,
        `select x.*, c.max_points as "maxPoints" from (
           select ${ATTEMPT_COLUMNS}, points, graded_max as "gradedMax" from attempts
           where test_id = $1 and user_id = $2 and deleted_at is null
         ) x join test_contents c on c.id = x."contentId" order by x."startedAt", x.number`,
        [test.id, userId],
      );
    let attempts = await select();
    const current = await Promise.all(
      attempts.map((attempt) => closedIfDue(deps.pool, attempt, now)),
    );
    if (current.some((attempt, i) => attempt.ended !== attempts[i]?.ended))
      attempts = await select();
    const closedAt = closedAtOf(
      test,
      (await latestCloses(deps.pool, [test.id])).get(test.id) ?? null,
    );
    const scores = attempts.map((attempt) =>
      mayShowPoints(test, attempt, isTeacher, closedAt, now) ? attempt.points : null,
    );
    const marked = attempts.flatMap(({ id, trial }, i) => {
      const points = scores[i] ?? null;
      return points === null || trial ? [] : [{ attemptId: id, points }];
    });
    const counted = new Set(countedAttempts(marked, test.countedAttempt));
    return {
      testId: test.id,
      title: test.name,
      totalAttempts: attempts.length,
      countedAttempt: test.countedAttempt,
      mark: countedPoints(
        marked.map(({ points }) => points),
        test.countedAttempt,
      ),
      attempts: attempts.map((attempt, i) => ({
        attemptNumber: attempt.number,
        attemptId: attempt.id,
        score: scores[i] ?? null,
        maxScore: attempt.maxPoints,
        state: attemptState(attemptTime(attempt), now.getTime()),
        startedAt: attempt.startedAt.toISOString(),
        finishedAt: attempt.endedAt?.toISOString() ?? null,
        pendingReview: attempt.ended !== null && attempt.gradedMax !== attempt.maxPoints,
        counts: counted.has(attempt.id),
        trial: attempt.trial,
      })),
    };
  });

  handle(app, deps, getResult, async ({ caller, params, now }) =>
    attemptResult(deps.pool, await readAttempt(deps, caller, params.attemptId, now)),
  );
}
