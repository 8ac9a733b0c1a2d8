import type { PassedTest, TestDetails, TestListItem, TestStatus } from '#contract/tests.ts';
import { attemptState, closesAt, isEnded, remainingMs } from '#domain/deadline.ts';
import { formatDuration } from '#domain/duration.ts';
import { difficultyLabel, subjectLabel } from '#domain/labels.ts';
import { countedPoints, testStatus } from '#domain/status.ts';
import { visibleFrom } from '#domain/visibility.ts';
import { rows, type Client } from '#server/db/query.ts';
import { allowedAttempts, type TestAccess } from './access.ts';
import { closedAtOf } from './visible.ts';

/** One attempt of the caller as lists read it. */
export interface OwnAttempt {
  readonly id: string;
  readonly testId: string;
  readonly number: number;
  readonly deadline: Date;
  readonly windowSeconds: number;
  readonly ended: 'finished' | 'closed' | null;
  readonly endedAt: Date | null;
  readonly points: number | null;
  readonly gradedMax: number | null;
  readonly maxPoints: number;
}

/** The caller's attempts on some tests, by test, the present one last. */
export async function ownAttempts(
  db: Client,
  userId: string,
  testIds: readonly string[],
): Promise<Map<string, OwnAttempt[]>> {
  const found = await rows<OwnAttempt>(
    db,
    `select x.id, x.test_id as "testId", x.number, x.deadline, x.late_window_seconds as "windowSeconds",
       x.ended, x.ended_at as "endedAt",
       case when not x.begin_held then x.points end as points, x.graded_max as "gradedMax", c.max_points as "maxPoints"
     from attempts x join test_contents c on c.id = x.content_id
     where x.user_id = $1 and x.test_id = any($2) and x.deleted_at is null
     order by x.begin_held desc, x.started_at, x.number`,
    [userId, testIds],
  );
  const byTest = new Map<string, OwnAttempt[]>();
  for (const attempt of found) {
    const list = byTest.get(attempt.testId);
    if (list) list.push(attempt);
    else byTest.set(attempt.testId, [attempt]);
  }
  return byTest;
}

interface AttemptSummary {
  readonly attempts: readonly OwnAttempt[];
  readonly latestClose: number | null;
  readonly now: number;
}

const timeOf = (attempt: OwnAttempt) => ({
  deadline: attempt.deadline.getTime(),
  windowMs: attempt.windowSeconds * 1000,
  endedAt: attempt.endedAt?.getTime() ?? null,
});

const runningOf = (attempts: readonly OwnAttempt[], now: number) =>
  attempts.findLast((attempt) => attemptState(timeOf(attempt), now) === 1);

/** Deadline of the running attempt, milliseconds; null: none runs. */
export function runningUntil(attempts: readonly OwnAttempt[], now: number): number | null {
  return runningOf(attempts, now)?.deadline.getTime() ?? null;
}

const endedOf = (attempts: readonly OwnAttempt[], now: number) =>
  attempts.filter((attempt) => isEnded(timeOf(attempt), now));

const isGraded = ({ points, gradedMax, maxPoints }: OwnAttempt) =>
  points !== null && gradedMax === maxPoints;

/** The fields of a test that its status depends on, besides the attempts. */
export type StatusTerms = Pick<
  TestAccess,
  'lifecycle' | 'startTime' | 'endTime' | 'attemptsCount' | 'ownAttemptsCount'
>;

/** The status of a test for the person with these attempts; `now` in milliseconds. */
export function statusOf(
  test: StatusTerms,
  attempts: readonly OwnAttempt[],
  now: number,
): TestStatus {
  const running = runningOf(attempts, now);
  const ended = endedOf(attempts, now);
  return testStatus(
    {
      lifecycle: test.lifecycle,
      startTime: test.startTime?.getTime() ?? null,
      endTime: test.endTime?.getTime() ?? null,
      attemptsLeft: allowedAttempts(test) - attempts.length,
      running: running !== undefined,
      pendingReview: attempts.some((attempt) => attempt !== running && !isGraded(attempt)),
      passed: ended.some((attempt) => attempt.ended === 'finished' && isGraded(attempt)),
      unfinished: ended.some((attempt) => attempt.ended !== 'finished'),
    },
    now,
  );
}

/** Most points of the test in the person's last attempt, else in its newest content. */
export function totalPointsOf(
  test: Pick<TestAccess, 'maxPoints'>,
  attempts: readonly OwnAttempt[],
): number {
  return attempts.at(-1)?.maxPoints ?? test.maxPoints;
}

/** How often and until when the person passed the test; null: no attempt is over. */
export function pastOf(
  attempts: readonly OwnAttempt[],
  now: number,
): Pick<PassedTest, 'finishedAt' | 'attempts'> | null {
  const ends = endedOf(attempts, now).map(
    (attempt) => attempt.endedAt?.getTime() ?? closesAt(timeOf(attempt)),
  );
  if (ends.length === 0) return null;
  return { finishedAt: new Date(Math.max(...ends)).toISOString(), attempts: ends.length };
}

/** A list item for the person who passes tests. */
export function listItem(
  test: TestAccess,
  { attempts, latestClose, now }: AttemptSummary,
): TestListItem {
  const running = runningOf(attempts, now);
  const closedAt = closedAtOf(test, latestClose);
  const shown = endedOf(attempts, now).filter((attempt) => {
    const from = visibleFrom(test.visibility.points, attempt.endedAt?.getTime() ?? now, closedAt);
    return attempt.points !== null && from !== null && now >= from;
  });
  const points = shown.flatMap((attempt) => (attempt.points === null ? [] : [attempt.points]));
  return {
    id: test.id,
    owner: test.ownerName,
    title: test.name,
    theme: test.theme,
    subject: subjectLabel(test.theme),
    difficulty: difficultyLabel(test.difficulty),
    startDate: test.startTime?.toISOString() ?? null,
    endDate: test.endTime?.toISOString() ?? null,
    totalPoints: totalPointsOf(test, attempts),
    currentPoints: countedPoints(points, test.countedAttempt),
    status: statusOf(test, attempts, now),
    ...(test.offlineStart && { offlineStart: true }),
    running: running
      ? {
          userTestId: running.id,
          deadline: running.deadline.toISOString(),
          leftTestTime: formatDuration(remainingMs(timeOf(running), now)),
        }
      : null,
  };
}

/** The overview before a start. */
export function details(test: TestAccess, standing: AttemptSummary): TestDetails {
  const { attempts, now } = standing;
  const over = attempts.filter((attempt) => attemptState(timeOf(attempt), now) === 2);
  return {
    ...listItem(test, standing),
    description: test.description,
    topic: test.topic,
    duration: formatDuration((test.passSeconds + test.extraSeconds) * 1000),
    attemptsCount: allowedAttempts(test),
    leftAttempts: Math.max(0, allowedAttempts(test) - attempts.length),
    totalQuestions: test.questionCount,
    lateWindow: formatDuration(test.windowSeconds * 1000),
    visibility: test.visibility,
    lastAttemptId: over.at(-1)?.id ?? null,
  };
}
