import type { FastifyInstance } from 'fastify';
import { HEADER } from '#contract/headers.ts';
import { getPassing, getTestDetails, listMyTests } from '#contract/tests.ts';
import { getTest } from '#contract/full-test.ts';
import { attemptState, closesAt, remainingMs } from '#domain/deadline.ts';
import { languageOf } from '#domain/languages.ts';
import { formatDuration } from '#domain/duration.ts';
import { isGradedByHand } from '#domain/scoring.ts';
import { studentQuestion } from '#domain/student-question.ts';
import { one, rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { readableAttempt } from '#server/passing/access.ts';
import {
  ATTEMPT_COLUMNS,
  attemptTime,
  presentFirst,
  type Attempt,
} from '#server/passing/attempt.ts';
import { closedIfDue } from '#server/passing/close.ts';
import { loadContent } from '#server/passing/content.ts';
import { attemptRank } from '#server/passing/part-rank.ts';
import { createCallRecorder } from '#server/passing/streams.ts';
import { allowedAttempts, readableTest, TEST_FACTS, type TestAccess } from './access.ts';
import { mayManage } from './level.ts';
import { details, listItem, ownAttempts } from './listing.ts';
import { latestCloses } from './visible.ts';

const byUrgency = { inProgress: 0, available: 1, scheduled: 2 } as const;
const urgency = (status: string) => byUrgency[status as keyof typeof byUrgency] ?? 3;

async function questionsFor(
  { pool: db, state }: Deps,
  userId: string,
  test: TestAccess,
  isEditor: boolean,
  now: Date,
) {
  if (isEditor) {
    return test.contentId === null ? [] : [...(await loadContent(db, test.contentId)).questions];
  }
  const running = await one<Attempt>(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts
     where test_id = $1 and user_id = $2 and ended is null and deleted_at is null and deadline > $3
       and not begin_held
     order by ${presentFirst('$3')} limit 1`,
    [test.id, userId, now],
  );
  if (!running) return [];
  const content = await loadContent(db, running.contentId);
  const rank = attemptRank(state, running.id);
  return content.questions.map((question) => studentQuestion(question, rank));
}

/** Planned once for each connection, as below: planning takes longer than running. */
const LIST_OWN_TESTS = {
  name: 'list-own-tests',
  text: `select * from (${TEST_FACTS} where t.lifecycle <> 'draft') facts
    where "isAssigned" and ("lifecycle" = 'active' or "hasAttempt") order by "startTime" desc nulls last, id desc`,
};

const READ_TITLE = {
  name: 'read-title',
  text: `select t.name as title, coalesce(p.attempts_count, t.attempts_count) as "attemptsCount"
    from tests t left join personal_terms p on p.test_id = t.id and p.user_id = $2 where t.id = $1`,
};

export function registerTests(app: FastifyInstance, deps: Deps): void {
  registerOwnTests(app, deps);
  registerOneTest(app, deps);
}

function registerOwnTests(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listMyTests, async ({ caller, now }) => {
    const tests = await rows<TestAccess>(deps.pool, LIST_OWN_TESTS, [caller.userId]);
    const ids = tests.map((test) => test.id);
    const attempts = await ownAttempts(deps.pool, caller.userId, ids);
    const latest = await latestCloses(deps.pool, ids);
    const items = tests.map((test) =>
      listItem(test, {
        attempts: attempts.get(test.id) ?? [],
        latestClose: latest.get(test.id) ?? null,
        now: now.getTime(),
      }),
    );
    items.sort((a, b) => urgency(a.status) - urgency(b.status));
    return { items, total: items.length };
  });

  handle(app, deps, getTestDetails, async ({ caller, params, now }) => {
    const test = await readableTest(deps.pool, caller, params.id);
    if (!test) throw new Refusal('NOT_FOUND');
    const attempts = await ownAttempts(deps.pool, caller.userId, [test.id]);
    const latest = await latestCloses(deps.pool, [test.id]);
    const standing = details(test, {
      attempts: attempts.get(test.id) ?? [],
      latestClose: latest.get(test.id) ?? null,
      now: now.getTime(),
    });
    const shown = { ...standing, ...((await isGradedLater(deps, test)) && { gradedByHand: true }) };
    return mayManage(caller, test, 'results') && !test.isAssigned && !test.openToAll
      ? { ...shown, status: test.lifecycle }
      : shown;
  });
}

/** Whether a student who begins without a network has to know that points of some answers come later. */
async function isGradedLater({ pool }: Deps, test: TestAccess): Promise<boolean> {
  if (!test.offlineStart || test.contentId === null) return false;
  return (await loadContent(pool, test.contentId)).questions.some(isGradedByHand);
}

function registerOneTest(app: FastifyInstance, deps: Deps): void {
  const recordCall = createCallRecorder(deps.pool);

  handle(app, deps, getTest, async ({ caller, params, now }) => {
    const test = await readableTest(deps.pool, caller, params.id);
    if (!test) throw new Refusal('NOT_FOUND');
    const isEditor = mayManage(caller, test, 'edit');
    return {
      id: test.id,
      version: test.version,
      name: test.name,
      description: test.description,
      theme: test.theme,
      difficulty: test.difficulty,
      topic: test.topic,
      language: languageOf(test),
      attemptsCount: allowedAttempts(test),
      startTestTime: test.startTime?.toISOString() ?? null,
      endTestTime: test.endTime?.toISOString() ?? null,
      passTestTime: formatDuration(test.passSeconds * 1000),
      maxPoints: test.maxPoints,
      questions: await questionsFor(deps, caller.userId, test, isEditor, now),
    };
  });

  handle(app, deps, getPassing, async ({ caller, params, headers, now, setHeader }) => {
    const found = await readableAttempt(deps.pool, caller, params.attemptId);
    const attempt = await closedIfDue(deps.pool, found.attempt, now);
    if (found.as === 'student') await recordCall(attempt, headers, now);
    const time = attemptTime(attempt);
    const test = await one<{ title: string; attemptsCount: number }>(deps.pool, READ_TITLE, [
      attempt.testId,
      attempt.userId,
    ]);
    if (!test) throw new Refusal('NOT_FOUND');
    setHeader(HEADER.activeStream, attempt.activeStream);
    return {
      userTestId: attempt.id,
      testId: attempt.testId,
      title: test.title,
      attemptNumber: attempt.number,
      attemptsCount: test.attemptsCount,
      state: attemptState(time, now.getTime()),
      leftTestTime: formatDuration(remainingMs(time, now.getTime())),
      startedAt: attempt.startedAt.toISOString(),
      deadline: attempt.deadline.toISOString(),
      countsUntil: new Date(closesAt(time)).toISOString(),
      finishedAt: attempt.endedAt?.toISOString() ?? null,
      serverTime: now.toISOString(),
    };
  });
}
