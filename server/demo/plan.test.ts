import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { TestStatus } from '#contract/tests.ts';
import { answerMisfit } from '#domain/answer-fit.ts';
import { hasAreas } from '#domain/areas.ts';
import { closesAt } from '#domain/deadline.ts';
import { isGradedByHand, scoreAttempt } from '#domain/scoring.ts';
import { testStatus } from '#domain/status.ts';
import { demoTest } from './content/all.ts';
import { questionsOf } from './content/stored.ts';
import { demoClass, demoPeople, demoStudents } from './people.ts';
import {
  demoPlan,
  durationMs,
  plannedDeadline,
  type DemoPlan,
  type PlannedAttempt,
} from './plan.ts';
import type { PlannedTest } from './plan-tests.ts';

/** Various hours: midnight and noon in Moscow, the end of a year, a leap day. */
const STARTS = [
  '2027-03-14T09:00:00Z',
  '2027-05-20T21:00:00Z',
  '2027-05-20T20:59:59Z',
  '2027-12-31T21:30:00Z',
  '2028-02-29T03:00:00Z',
];

const isOver = ({ finishedAt, closedAt }: PlannedAttempt) =>
  finishedAt !== null || closedAt !== null;

function testOf(plan: DemoPlan, attempt: PlannedAttempt): PlannedTest {
  const found = plan.tests.find(({ key }) => key === attempt.testKey);
  if (found === undefined) throw new Error(`no planned test ${attempt.testKey}`);
  return found;
}

/** The newest answer to each question, and the score with the grades given. */
function scored(plan: DemoPlan, attempt: PlannedAttempt) {
  const planned = testOf(plan, attempt);
  const questions = questionsOf(demoTest(planned.content), { scope: planned.key });
  const answers = new Map(attempt.answers.map(({ answer }) => [answer.questionId, answer]));
  const grades = new Map(
    attempt.grades.map(({ questionIndex, points }) => [
      questions[questionIndex]?.questionId ?? '',
      points,
    ]),
  );
  return { questions, answers, grades, score: scoreAttempt(questions, answers, grades) };
}

function statusFor(plan: DemoPlan, planned: PlannedTest, email: string, now: number): TestStatus {
  const own = plan.attempts.filter(
    ({ testKey, studentEmail }) => testKey === planned.key && studentEmail === email,
  );
  const over = own.filter(isOver);
  const pending = over.some((attempt) => scored(plan, attempt).score.pendingQuestionIds.length > 0);
  return testStatus(
    {
      lifecycle: planned.lifecycle,
      startTime: planned.startTime.getTime(),
      endTime: planned.endTime.getTime(),
      attemptsLeft: planned.attemptsCount - own.length,
      running: own.length > over.length,
      pendingReview: pending,
      passed: !pending && over.some(({ finishedAt }) => finishedAt !== null),
      unfinished: over.some(({ closedAt }) => closedAt !== null),
    },
    now,
  );
}

const isAssigned = ({ assignedGroups }: PlannedTest) => assignedGroups.includes(demoClass.name);

test('the same start gives the same plan', () => {
  const now = new Date(STARTS[0] ?? '');
  expect(demoPlan(now)).toStrictEqual(demoPlan(now));
});

test('the answers of finished attempts do not depend on the start', () => {
  const [one, other] = STARTS.map((start) =>
    demoPlan(new Date(start))
      .attempts.filter(isOver)
      .map(({ answers, grades }) => [
        answers.map(({ answer }) => answer),
        grades.map(({ points }) => points),
      ]),
  );
  expect(one).toStrictEqual(other);
});

describe.each(STARTS)('started at %s', (start) => {
  const now = new Date(start);
  const plan = demoPlan(now);

  test('tests have their owner, content, and times in order', () => {
    const teachers = demoPeople.filter(({ role }) => role === 'teacher').map(({ email }) => email);
    expect(new Set(plan.tests.map(({ key }) => key)).size).toBe(plan.tests.length);
    expect(new Set(plan.tests.map(({ name }) => name)).size).toBe(plan.tests.length);
    for (const planned of plan.tests) {
      expect(teachers).toContain(planned.owner);
      expect(demoTest(planned.content).key).toBe(planned.content);
      expect(planned.startTime.getTime()).toBeLessThan(planned.endTime.getTime());
      expect(planned.createdAt.getTime()).toBeLessThan(now.getTime());
    }
    expect(plan.tests.map(({ lifecycle }) => lifecycle)).toEqual(
      expect.arrayContaining(['draft', 'active', 'archived']),
    );
  });

  test('each of the seven statuses occurs in the base of student@demo.ru', () => {
    const statuses = plan.tests
      .filter(({ lifecycle, openToAll }) => lifecycle !== 'draft' && openToAll)
      .map((planned) => statusFor(plan, planned, 'student@demo.ru', now.getTime()));
    expect(new Set(statuses)).toStrictEqual(new Set(TestStatus.options));
  });

  test.each(demoStudents.map(({ email }) => email))(
    '%s has at least two available assigned tests',
    (email) => {
      const available = plan.tests
        .filter(isAssigned)
        .filter((planned) => statusFor(plan, planned, email, now.getTime()) === 'available');
      expect(available.length).toBeGreaterThanOrEqual(2);
      expect(available.map(({ key }) => key)).toEqual(expect.arrayContaining(['physics', 'math']));
    },
  );

  test('attempts are numbered one by one, within the number allowed', () => {
    for (const planned of plan.tests) {
      for (const { email } of demoStudents) {
        const numbers = plan.attempts
          .filter(({ testKey, studentEmail }) => testKey === planned.key && studentEmail === email)
          .map(({ number }) => number);
        expect(numbers).toStrictEqual(numbers.map((_, index) => index + 1));
        expect(numbers.length).toBeLessThanOrEqual(planned.attemptsCount);
      }
    }
  });

  test('every moment is within its test and its attempt, and none in the future', () => {
    for (const attempt of plan.attempts) {
      const planned = testOf(plan, attempt);
      const deadline = plannedDeadline(planned, attempt).getTime();
      const startedAt = attempt.startedAt.getTime();
      expect(startedAt).toBeGreaterThan(planned.startTime.getTime());
      expect(startedAt).toBeLessThan(Math.min(planned.endTime.getTime(), now.getTime()));
      const times = [startedAt, ...attempt.answers.map(({ at }) => at.getTime())];
      if (attempt.finishedAt !== null) times.push(attempt.finishedAt.getTime());
      expect(times.toSorted((one, other) => one - other)).toStrictEqual(times);
      expect(times.at(-1)).toBeLessThan(Math.min(deadline, now.getTime()));
      for (const { at } of attempt.grades) {
        expect(at.getTime()).toBeGreaterThan(attempt.finishedAt?.getTime() ?? startedAt);
        expect(at.getTime()).toBeLessThan(now.getTime());
      }
    }
  });

  test('the server has closed unfinished attempts, and running attempts have time left', () => {
    for (const attempt of plan.attempts.filter(({ finishedAt }) => finishedAt === null)) {
      const planned = testOf(plan, attempt);
      const deadline = plannedDeadline(planned, attempt).getTime();
      const closes = closesAt({ deadline, windowMs: planned.lateWindowSeconds * 1000 });
      expect(attempt.closedAt?.getTime() ?? closes).toBe(closes);
      const inTime =
        attempt.closedAt === null ? deadline > now.getTime() + 15 * 60_000 : closes < now.getTime();
      expect(inTime).toBe(true);
    }
  });
});

describe('attempts', () => {
  const plan = demoPlan(new Date(STARTS[0] ?? ''));

  test('have answers that the wire accepts, to questions of their test, of the right kind', () => {
    for (const attempt of plan.attempts) {
      const { questions } = scored(plan, attempt);
      const byId = new Map(questions.map((question) => [question.questionId, question]));
      for (const { answer } of attempt.answers) {
        expect(v.parse(Answer, answer)).toStrictEqual(answer);
        expect(answerMisfit(answer, byId.get(answer.questionId))).toBeNull();
      }
    }
  });

  test.each<[string, (question: Question) => boolean, string[]]>([
    ['gaps', ({ kind }) => kind === 'gaps', ['partly right', 'right', 'wrong']],
    ['ordering', ({ kind }) => kind === 'ordering', ['partly right', 'right', 'wrong']],
    [
      'repeated pairs',
      (one) => one.kind === 'compliance' && one.reuse === true,
      ['partly right', 'right'],
    ],
    ['areas', (one) => one.kind === 'variant' && hasAreas(one.options), ['right', 'wrong']],
    ['common texts', ({ passage }) => passage !== undefined, ['partly right', 'right', 'wrong']],
  ])('to %s are enough for statistics, not all of them right', (_, isMeant, outcomes) => {
    const shares = plan.attempts.flatMap((attempt) => {
      const { questions, answers, score } = scored(plan, attempt);
      return questions
        .filter((question) => isMeant(question) && answers.has(question.questionId))
        .flatMap(({ questionId, points }) => {
          const item = score.items.get(questionId);
          return item?.kind === 'graded' ? [item.points / points] : [];
        });
    });
    expect(shares.length).toBeGreaterThan(15);
    const found = shares.map((share) =>
      share === 1 ? 'right' : share === 0 ? 'wrong' : 'partly right',
    );
    expect([...new Set(found)].toSorted()).toStrictEqual(outcomes);
  });

  test.each([
    'informatics',
    'history',
    'chemistry',
    'physics-archive',
    'russian-training',
    'math-training',
  ])('on %s are enough for statistics of its questions', (key) => {
    const finished = plan.attempts.filter(
      ({ testKey, finishedAt }) => testKey === key && finishedAt !== null,
    );
    expect(finished.length).toBeGreaterThanOrEqual(10);
  });

  test('name the file of every file answer', () => {
    const fileIds = plan.attempts.flatMap(({ files }) => files.map(({ fileId }) => fileId));
    expect(new Set(fileIds).size).toBe(fileIds.length);
    const answered = plan.attempts.flatMap(({ answers }) =>
      answers.flatMap(({ answer }) =>
        answer.kind === 'file' && answer.fileId !== null ? [answer.fileId] : [],
      ),
    );
    expect(answered.toSorted()).toStrictEqual(fileIds.toSorted());
    expect(fileIds.length).toBeGreaterThan(10);
  });

  test('have grades only where a person must decide, within the points, with a comment', () => {
    for (const attempt of plan.attempts) {
      const { questions } = scored(plan, attempt);
      for (const { questionIndex, points, comment } of attempt.grades) {
        const question = questions[questionIndex];
        expect(question !== undefined && isGradedByHand(question)).toBe(true);
        expect(points).toBeGreaterThan(0);
        expect(points).toBeLessThanOrEqual(question?.points ?? 0);
        expect(comment).not.toBe('');
      }
    }
  });

  test('are graded, waiting for a grade, running and closed by the server, some of each', () => {
    const states = plan.attempts.map((attempt) => {
      if (attempt.closedAt !== null) return 'closed';
      if (attempt.finishedAt === null) return 'running';
      return scored(plan, attempt).score.pendingQuestionIds.length > 0 ? 'waiting' : 'graded';
    });
    const count = (state: string) => states.filter((one) => one === state).length;
    expect(count('graded')).toBeGreaterThan(50);
    expect(count('waiting')).toBeGreaterThan(10);
    expect(count('running')).toBeGreaterThanOrEqual(4);
    expect(count('closed')).toBeGreaterThanOrEqual(2);
  });

  test('have realistic marks: most between a third and nine tenths, spread out', () => {
    const shares = plan.attempts
      .filter(({ finishedAt, grades }) => finishedAt !== null && grades.length > 0)
      .map((attempt) => scored(plan, attempt).score)
      .map(({ points, gradedMax }) => points / gradedMax);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(mean).toBeGreaterThan(0.55);
    expect(mean).toBeLessThan(0.85);
    expect(Math.min(...shares)).toBeLessThan(0.55);
    expect(Math.max(...shares)).toBeGreaterThan(0.9);
  });

  test('a second attempt of student@demo.ru went better than the first', () => {
    const [first, second] = plan.attempts
      .filter(
        ({ testKey, studentEmail }) =>
          testKey === 'informatics' && studentEmail === 'student@demo.ru',
      )
      .map((attempt) => scored(plan, attempt).score.points);
    expect(second).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
  });

  test('the assigned physics, math and russian have no attempts', () => {
    const untouched = new Set(['physics', 'math', 'russian']);
    expect(plan.attempts.filter(({ testKey }) => untouched.has(testKey))).toStrictEqual([]);
  });

  test('durations are read', () => {
    expect(durationMs('24:00:00')).toBe(86_400_000);
    expect(durationMs('00:45:30')).toBe(2_730_000);
  });
});

test('accounts are those of the demo: one administrator, teachers, a class of 31', () => {
  const emails = demoPeople.map(({ email }) => email);
  expect(new Set(emails).size).toBe(emails.length);
  expect(emails).toEqual(
    expect.arrayContaining([
      'admin@demo.ru',
      'teacher@demo.ru',
      'student@demo.ru',
      'student01@demo.ru',
      'student30@demo.ru',
    ]),
  );
  expect(demoPeople.filter(({ role }) => role === 'teacher').length).toBe(4);
  expect(demoClass.members.length).toBe(31);
});
