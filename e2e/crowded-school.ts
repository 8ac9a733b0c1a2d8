import { v7 } from 'uuid';
import { gradeItem } from '#contract/attempts.ts';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { HEADER } from '#contract/headers.ts';
import { finishAttempt, saveAnswer, startAttempt } from '#contract/passing.ts';
import { execute } from '#server/db/query.ts';
import { liveCall } from '#tests/live-call.ts';
import { Q, RIGHT, smallTest } from '#tests/school.ts';
import { addPicture, richQuestions } from './rich-test.ts';
import { expect, type Person, type Room, type RoomTest } from './room.ts';
import { openSignIn } from './visitor.ts';

const DAY_MS = 86_400_000;
const ESSAY: Answer = {
  questionId: Q.essay,
  kind: 'open',
  text: 'Трубка Ньютона: дробинка и перо.',
};

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/** A student whose list shows each of the seven statuses, and what stands behind them. */
export interface CrowdedSchool {
  teacher: Person;
  anna: Person;
  tests: Record<
    'scheduled' | 'available' | 'inProgress' | 'pendingReview' | 'passed' | 'overdue' | 'closed',
    string
  >;
  /** The attempt that waits for review, with a comment at one answer. */
  reviewed: string;
}

/** Takes a test from another device over the network; the finish is left out where wished. */
async function take(
  room: Room,
  person: Person,
  testId: string,
  { answers, finish }: { answers: readonly Answer[]; finish: boolean },
): Promise<string> {
  const { token } = await openSignIn(room, person);
  const base = room.network.url;
  const stream = v7();
  const start = await liveCall(
    base,
    startAttempt,
    { params: { id: testId } },
    { token, headers: { [HEADER.idempotencyKey]: v7(), [HEADER.stream]: stream } },
  );
  expect(start.status).toBe(200);
  const { userTestId: id, epoch } = start.body;
  let sequence = 0;
  const headers = () => ({
    [HEADER.idempotencyKey]: v7(),
    [HEADER.stream]: start.body.stream,
    [HEADER.epoch]: String(epoch),
    [HEADER.sequence]: String((sequence += 1)),
    [HEADER.age]: '0',
  });
  for (const body of answers) {
    const input = { params: { id }, body };
    const saved = await liveCall(base, saveAnswer, input, { token, headers: headers() });
    expect(saved.status).toBe(200);
  }
  if (finish) {
    const input = { params: { id } };
    const finished = await liveCall(base, finishAttempt, input, { token, headers: headers() });
    expect(finished.status).toBe(200);
  }
  return id;
}

async function comment(room: Room, teacher: Person, attemptId: string): Promise<void> {
  const { token } = await openSignIn(room, teacher);
  const body = { questionId: Q.essay, points: 3, comment: 'Опыт верный, но нет вывода.' };
  const input = { params: { attemptId }, body };
  expect((await liveCall(room.network.url, gradeItem, input, { token })).status).toBe(200);
}

/** Makes it all over SQL and the passing calls. */
export async function openCrowdedSchool(room: Room): Promise<CrowdedSchool> {
  const teacher = await room.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await room.person();
  const make = (name: string, plan: Omit<RoomTest, 'students' | 'name'> = {}) =>
    room.test(teacher, { ...plan, name, students: [anna] });
  const automatic = smallTest.filter(({ questionId }) =>
    [Q.open, Q.single, Q.several, Q.matching].some((graded) => graded === questionId),
  );
  const tests = {
    scheduled: await make('Работа и энергия', { startTime: inDays(3), endTime: inDays(9) }),
    available: await make('Механика. Динамика и законы сохранения импульса', {
      questions: richQuestions,
      attemptsCount: 2,
    }),
    inProgress: await make('Силы в природе', { attemptsCount: 2 }),
    pendingReview: await make('Законы Ньютона', { attemptsCount: 3 }),
    passed: await make('Равноускоренное движение', { questions: automatic }),
    overdue: await make('Векторы', { startTime: inDays(-9), endTime: inDays(-2) }),
    closed: await make('Повторение: 8 класс', { questions: automatic }),
  };
  await addPicture(room, tests.available);
  const all = Object.values(RIGHT);
  await take(room, anna, tests.inProgress, { answers: all.slice(0, 2), finish: false });
  await take(room, anna, tests.passed, { answers: all, finish: true });
  await take(room, anna, tests.pendingReview, {
    answers: [...all.slice(0, 1), ESSAY],
    finish: true,
  });
  const reviewed = await take(room, anna, tests.pendingReview, {
    answers: [...all.slice(0, 3), ESSAY],
    finish: true,
  });
  await comment(room, teacher, reviewed);
  await take(room, anna, tests.closed, { answers: [], finish: false });
  await execute(
    room.pool,
    `update attempts set ended = 'closed', ended_at = now(), points = 0, graded_max = c.max_points
     from test_contents c where c.id = content_id and attempts.test_id = $1`,
    [tests.closed],
  );
  await execute(room.pool, `update tests set lifecycle = 'archived' where id = $1`, [tests.closed]);
  return { teacher, anna, tests, reviewed };
}
