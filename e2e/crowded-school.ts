import { gradeItem } from '#contract/attempts.ts';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { liveCall } from '#tests/live-call.ts';
import { Q, RIGHT, smallTest } from '#tests/school.ts';
import { startElsewhere, takeElsewhere } from './remote-device.ts';
import { addPicture, richQuestions } from './rich-test.ts';
import { expect, type Person, type TestSchool, type SchoolTest } from './test-school.ts';
import { openSignIn } from './visitor.ts';

const DAY_MS = 86_400_000;
const ESSAY: Answer = {
  questionId: Q.essay,
  kind: 'open',
  text: 'Трубка Ньютона: дробинка и перо.',
};

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/** A student whose list shows each of the seven statuses, with the data behind them. */
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

async function comment(school: TestSchool, teacher: Person, attemptId: string): Promise<void> {
  const { token } = await openSignIn(school, teacher);
  const body = { questionId: Q.essay, points: 3, comment: 'Опыт верный, но нет вывода.' };
  const input = { params: { attemptId }, body };
  expect((await liveCall(school.network.url, gradeItem, input, { token })).status).toBe(200);
}

/** Creates it all by SQL and the passing calls. */
export async function openCrowdedSchool(school: TestSchool): Promise<CrowdedSchool> {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const make = (name: string, plan: Omit<SchoolTest, 'students' | 'name'> = {}) =>
    school.test(teacher, { ...plan, name, students: [anna] });
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
  await addPicture(school, tests.available);
  const all = Object.values(RIGHT);
  const running = await startElsewhere(school, anna, tests.inProgress);
  for (const answer of all.slice(0, 2)) await running.answer(answer);
  await takeElsewhere(school, anna, tests.passed, all);
  await takeElsewhere(school, anna, tests.pendingReview, [...all.slice(0, 1), ESSAY]);
  const answers = [...all.slice(0, 3), ESSAY];
  const reviewed = await takeElsewhere(school, anna, tests.pendingReview, answers);
  await comment(school, teacher, reviewed);
  await startElsewhere(school, anna, tests.closed);
  await execute(
    school.pool,
    `update attempts set ended = 'closed', ended_at = now(), points = 0, graded_max = c.max_points
     from test_contents c where c.id = content_id and attempts.test_id = $1`,
    [tests.closed],
  );
  await execute(school.pool, `update tests set lifecycle = 'archived' where id = $1`, [
    tests.closed,
  ]);
  return { teacher, anna, tests, reviewed };
}
