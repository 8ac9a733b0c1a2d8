import { ROLE } from '#contract/auth.ts';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import {
  finishAttempt,
  saveAnswer,
  startAttempt,
  type Receipt,
  type Started,
} from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { maxPoints } from '#domain/scoring.ts';
import { execute } from '#server/db/query.ts';
import type { Answered, TestServer, TestUser } from './server.ts';

const MINUTE_MS = 60_000;

/** Question ids of the small test, readable in failures. */
export const Q = {
  open: '00000000-0000-4000-8000-000000000001',
  single: '00000000-0000-4000-8000-000000000002',
  several: '00000000-0000-4000-8000-000000000003',
  matching: '00000000-0000-4000-8000-000000000004',
  file: '00000000-0000-4000-8000-000000000005',
  essay: '00000000-0000-4000-8000-000000000006',
} as const;

/** A marker in every key that may never reach a student. */
export const CANARY = 'канарейка';
/** A marker in the fields for the teacher alone, which may not even be sent with the key. */
export const TEACHER_CANARY = 'соловей';

/** All four kinds; 2 + 1 + 2 + 3 + 4 + 5 points. */
export const smallTest: Question[] = [
  {
    questionId: Q.open,
    kind: 'open',
    input: 'number',
    text: 'Ускорение тела, м/с²?',
    points: 2,
    accepted: [
      { text: '4,9', share: 1, feedback: CANARY },
      { text: CANARY, share: 0.5 },
    ],
    tolerance: 0.05,
    explanation: CANARY,
  },
  {
    questionId: Q.single,
    kind: 'variant',
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    text: 'Единица силы?',
    points: 1,
    options: [
      { optionId: 'a', text: 'Паскаль', isRight: false },
      { optionId: 'b', text: 'Ньютон', isRight: true },
    ],
    explanation: CANARY,
  },
  {
    questionId: Q.several,
    kind: 'variant',
    multiple: true,
    shuffle: false,
    scoring: 'partial',
    text: 'Векторные величины?',
    points: 2,
    options: [
      { optionId: 'a', text: 'Сила', isRight: true, feedback: CANARY },
      { optionId: 'b', text: 'Масса', isRight: false, feedback: CANARY },
      { optionId: 'c', text: 'Скорость', isRight: true },
      { optionId: 'd', text: 'Путь', isRight: false },
    ],
    explanation: CANARY,
    title: TEACHER_CANARY,
    topic: TEACHER_CANARY,
    difficulty: 'hard',
    tags: [TEACHER_CANARY],
    origin: { kind: 'import', format: TEACHER_CANARY },
  },
  {
    questionId: Q.matching,
    kind: 'compliance',
    shuffle: true,
    text: 'Подберите единицы',
    points: 3,
    left: [
      { leftId: '1', text: 'Сила' },
      { leftId: '2', text: 'Мощность' },
      { leftId: '3', text: 'Давление' },
    ],
    right: [
      { rightId: 'a', text: 'Па' },
      { rightId: 'b', text: 'Н' },
      { rightId: 'c', text: 'Вт' },
      { rightId: 'd', text: 'Дж' },
    ],
    pairs: [
      { leftId: '1', rightId: 'b' },
      { leftId: '2', rightId: 'c' },
      { leftId: '3', rightId: 'a' },
    ],
    explanation: CANARY,
  },
  {
    questionId: Q.file,
    kind: 'file',
    text: 'Приложите решение',
    points: 4,
    maxBytes: 1_000_000,
    accept: ['image/*', '.pdf'],
    explanation: CANARY,
  },
  {
    questionId: Q.essay,
    kind: 'open',
    input: 'text',
    text: 'Опишите опыт',
    points: 5,
    accepted: [],
    tolerance: 0,
    explanation: CANARY,
  },
];

export const RIGHT = {
  open: { questionId: Q.open, kind: 'open', text: '4.9' },
  single: { questionId: Q.single, kind: 'variant', optionIds: ['b'] },
  several: { questionId: Q.several, kind: 'variant', optionIds: ['a', 'c'] },
  matching: {
    questionId: Q.matching,
    kind: 'compliance',
    pairs: [
      { leftId: '1', rightId: 'b' },
      { leftId: '2', rightId: 'c' },
      { leftId: '3', rightId: 'a' },
    ],
  },
} as const satisfies Record<string, Answer>;

export interface PlannedTest {
  questions?: Question[];
  /** Students it is assigned to. */
  students?: readonly Pick<TestUser, 'userId'>[];
  attemptsCount?: number;
  passMinutes?: number;
  windowMinutes?: number;
  startTime?: Date | null;
  endTime?: Date | null;
  lifecycle?: 'draft' | 'active' | 'archived';
  openToAll?: boolean;
  offlineStart?: boolean;
  visibility?: Record<'ownAnswers' | 'points' | 'correctAnswers', string>;
}

/** What a builder needs of a server, simulated or real. */
export interface Builder {
  readonly pool: TestServer['pool'];
  readonly deps: Pick<TestServer['deps'], 'newId'>;
  readonly clock: { readonly now: Date };
}

/** Creates a published test of `teacher` by SQL. Returns its id. */
export async function makeTest(
  server: Builder,
  teacher: Pick<TestUser, 'userId'>,
  plan: PlannedTest = {},
): Promise<string> {
  const { pool, deps, clock } = server;
  const questions = plan.questions ?? smallTest;
  const id = deps.newId();
  const contentId = deps.newId();
  await execute(
    pool,
    `insert into tests (id, owner_id, lifecycle, name, theme, difficulty, attempts_count, start_time,
       end_time, pass_seconds, late_window_seconds, open_to_all, visibility, created_at, updated_at,
       offline_start)
     values ($1, $2, $3, 'Законы Ньютона', 'physics', 'medium', $4, $5, $6, $7, $8, $9, $10, $11, $11,
       $12)`,
    [
      id,
      teacher.userId,
      plan.lifecycle ?? 'active',
      plan.attemptsCount ?? 1,
      plan.startTime === undefined ? new Date(clock.now.getTime() - MINUTE_MS) : plan.startTime,
      plan.endTime === undefined
        ? new Date(clock.now.getTime() + 24 * 60 * MINUTE_MS)
        : plan.endTime,
      (plan.passMinutes ?? 40) * 60,
      (plan.windowMinutes ?? 15) * 60,
      plan.openToAll ?? false,
      JSON.stringify(
        plan.visibility ?? { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'afterClose' },
      ),
      clock.now,
      plan.offlineStart ?? false,
    ],
  );
  await execute(
    pool,
    `insert into test_contents (id, test_id, questions, max_points, created_at) values ($1, $2, $3, $4, $5)`,
    [contentId, id, JSON.stringify(questions), maxPoints(questions), clock.now],
  );
  await execute(pool, 'update tests set content_id = $2 where id = $1', [id, contentId]);
  for (const student of plan.students ?? []) {
    await execute(
      pool,
      'insert into assignments (id, test_id, user_id, created_at) values ($1, $2, $3, $4)',
      [deps.newId(), id, student.userId, clock.now],
    );
  }
  return id;
}

/** A class of `teacher` with students who joined by its code. Returns its id. */
export async function makeGroup(
  { pool, deps, clock }: Builder,
  teacher: Pick<TestUser, 'userId'>,
  students: readonly Pick<TestUser, 'userId'>[],
  name = '9А',
): Promise<string> {
  const id = deps.newId();
  await execute(
    pool,
    'insert into groups (id, name, owner_id, join_code, created_at) values ($1, $2, $3, $4, $5)',
    [id, name, teacher.userId, id.slice(-8).toUpperCase(), clock.now],
  );
  for (const student of students) {
    await execute(
      pool,
      `insert into group_members (group_id, user_id, via, added_at) values ($1, $2, 'code', $3)`,
      [id, student.userId, clock.now],
    );
  }
  return id;
}

export interface School {
  teacher: TestUser;
  student: TestUser;
  testId: string;
}

/** A teacher, a student, and a test assigned to the student. */
export async function makeSchool(server: TestServer, plan: PlannedTest = {}): Promise<School> {
  const teacher = await server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await server.user();
  return {
    teacher,
    student,
    testId: await makeTest(server, teacher, { ...plan, students: [student] }),
  };
}

/** The passing calls of one installation, with sequences of its own. */
export class TestDevice {
  readonly server: TestServer;
  readonly student: TestUser;
  stream: string;
  epoch = 1;
  sequence = 0;
  attemptId = '';

  constructor(server: TestServer, student: TestUser) {
    this.server = server;
    this.student = student;
    this.stream = server.deps.newId();
  }

  async start(testId: string, headers: Record<string, string> = {}): Promise<Answered<Started>> {
    const reply = await this.server.send(
      startAttempt,
      { params: { id: testId } },
      {
        as: this.student,
        headers: {
          [HEADER.idempotencyKey]: this.server.deps.newId(),
          [HEADER.stream]: this.stream,
          ...headers,
        },
      },
    );
    if (reply.status === 200) {
      this.stream = reply.body.stream;
      this.epoch = reply.body.epoch;
      this.attemptId = reply.body.userTestId;
    }
    return reply;
  }

  /** Headers of a new operation. Given headers take precedence; an empty string omits one. */
  operation(headers: Record<string, string> = {}): Record<string, string> {
    this.sequence += 1;
    const all = {
      [HEADER.idempotencyKey]: this.server.deps.newId(),
      [HEADER.stream]: this.stream,
      [HEADER.epoch]: String(this.epoch),
      [HEADER.sequence]: String(this.sequence),
      [HEADER.age]: '0',
      ...headers,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  }

  async answer(answer: Answer, headers = this.operation()): Promise<Answered<Receipt>> {
    return this.server.send(
      saveAnswer,
      { params: { id: this.attemptId }, body: answer },
      { as: this.student, headers },
    );
  }

  async finish(headers = this.operation()): Promise<Answered<Receipt>> {
    return this.server.send(
      finishAttempt,
      { params: { id: this.attemptId } },
      { as: this.student, headers },
    );
  }
}

/** The error of an answered call; empty where it has no body. */
export function errorOf(answered: Answered<unknown>): {
  code: string;
  message: string;
  details: unknown;
} {
  return (answered.body ?? {}) as { code: string; message: string; details: unknown };
}
