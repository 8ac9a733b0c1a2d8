import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { QUESTION_ROWS_PER_TEST, QUESTIONS_PER_TEST, TEST_BODY_BYTES } from './limits.ts';
import {
  Duration,
  Id,
  isHundredths,
  IsoTime,
  listOf,
  nameOf,
  NonNegativeInteger,
  PositiveInteger,
  TotalPoints,
  TWO_DECIMALS,
} from './primitives.ts';
import { Question } from './questions.ts';
import { route } from './route.ts';
import { AccessLevel } from './sharing.ts';
import {
  byTestId,
  CountedAttempt,
  listQuery,
  testSummary,
  TestLifecycle,
  Visibility,
} from './tests.ts';
import { Difficulty, Language, Theme } from './themes.ts';

const createdQuery = v.object({
  ...listQuery,
  subject: v.optional(Theme),
  status: v.optional(TestLifecycle),
  everyones: v.optional(v.literal('1')),
  /** Only tests with questions that the caller may change, without archived ones. */
  editable: v.optional(v.literal('1')),
});
export type ListCreatedQuery = v.InferOutput<typeof createdQuery>;

/** A test in the list of its owner and of colleagues. */
export const CreatedTest = v.object({
  ...testSummary,
  /** What the caller may do. */
  level: v.optional(AccessLevel, 'owner'),
  /** Whether it is the caller's; admins have the level `owner` on every test. */
  isOwn: v.optional(v.boolean(), true),
  lifecycle: TestLifecycle,
  version: v.number(),
  totalQuestions: v.number(),
  /** Everybody's attempts, except deleted ones. */
  attempts: v.number(),
  /** How many of them are trials; the figures below exclude them. */
  trialAttempts: v.optional(v.number(), 0),
  running: v.null(),
  /** Running attempts. */
  runningAttempts: v.number(),
  /** Answers that await a grade. */
  pendingGrades: v.number(),
  /** Undecided held answers. */
  heldAnswers: v.number(),
  updatedAt: IsoTime,
});
export type CreatedTest = v.InferOutput<typeof CreatedTest>;

export const TestName = nameOf({
  missing: 'Введите название теста',
  most: 200,
  tooLong: 'Название не длиннее 200 символов',
});
const attemptsCount = v.pipe(
  v.number('Укажите число попыток'),
  v.integer('Укажите целое число попыток'),
  v.minValue(1, 'Нужна хотя бы одна попытка'),
  v.maxValue(100, 'Не больше 100 попыток'),
);
const passTestTime = v.pipe(
  Duration,
  v.check((text) => /[1-9]/.test(text), 'Время на тест больше нуля'),
);

/** The test payload of the specification as sent; a sent `maxPoints` is ignored. */
const payload = {
  name: TestName,
  description: v.pipe(v.string(), v.maxLength(5_000, 'Описание не длиннее 5000 символов')),
  theme: v.union([Theme, v.literal('')]),
  difficulty: v.union([Difficulty, v.literal('')]),
  topic: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'Тема не длиннее 200 символов'))),
  /** Language of the questions; empty: that of the subject. */
  language: v.optional(v.union([Language, v.literal('')])),
  attemptsCount,
  startTestTime: v.nullable(IsoTime),
  endTestTime: v.nullable(IsoTime),
  passTestTime,
  maxPoints: v.optional(TotalPoints),
};

/** Whether alternatives of one question are adjacent. */
function areVariantsTogether(list: Question[]): boolean {
  const groups = list.map(({ variantOf, questionId }) => variantOf ?? questionId);
  const runs = groups.filter((group, index) => group !== groups[index - 1]);
  return new Set(runs).size === runs.length;
}

/** All rules of a test's questions that apply before it is ready. */
export const TestQuestions = v.pipe(
  boundedList(
    Question,
    QUESTION_ROWS_PER_TEST,
    `Не больше ${QUESTION_ROWS_PER_TEST} вопросов с вариантами`,
  ),
  v.check(
    (list) =>
      new Set(list.map(({ variantOf, questionId }) => variantOf ?? questionId)).size <=
      QUESTIONS_PER_TEST,
    `Не больше ${QUESTIONS_PER_TEST} вопросов в тесте`,
  ),
  v.check(
    (list) => new Set(list.map(({ questionId }) => questionId)).size === list.length,
    'Вопросы не должны повторяться',
  ),
  v.check(areVariantsTogether, 'Варианты одного вопроса должны стоять рядом'),
  v.check((list) => list.every(({ points }) => isHundredths(points)), TWO_DECIMALS),
);

const OwnDate = v.optional(v.nullable(IsoTime), null);

/** One person's own time, attempts, and dates in place of the test's (a make-up test). */
const PersonalTerm = v.strictObject({
  userId: Id,
  extraMinutes: v.pipe(
    NonNegativeInteger,
    v.maxValue(1_440, 'Не больше суток дополнительного времени'),
  ),
  attemptsCount: v.nullable(attemptsCount),
  startTestTime: OwnDate,
  endTestTime: OwnDate,
});

/** Settings beside the payload: assignment, times, and what is shown. */
const settings = {
  openToAll: v.boolean(),
  lateWindow: Duration,
  countedAttempt: CountedAttempt,
  visibility: Visibility,
  assignedUserIds: boundedList(Id, 2_000),
  assignedGroupIds: boundedList(Id, 200),
  personalTerms: boundedList(PersonalTerm, 2_000),
  /** Whether a prepared attempt may begin without a network. */
  offlineStart: v.boolean(),
  /** How late answers count after such a begin; null: until the end of the school's day. */
  offlineWindow: v.nullable(Duration),
};

/** Absent fields do not change. */
const UpdateTestBody = v.strictObject({
  id: Id,
  /** The version that was read; a stale one is a 409 and overwrites nothing. */
  version: PositiveInteger,
  ...v.partial(v.object({ ...payload, ...settings, questions: TestQuestions })).entries,
});
export type UpdateTestBody = v.InferInput<typeof UpdateTestBody>;
/** The same after parsing by the server. */
export type UpdateTestInput = v.InferOutput<typeof UpdateTestBody>;

const NewTest = v.strictObject({ ...payload, questions: v.optional(TestQuestions, []) });
export type NewTest = v.InferOutput<typeof NewTest>;

/** Without e-mail: a teacher may assign anybody of the school. */
const Assignee = v.object({ userId: Id, userName: v.string() });

/** All of a test except its questions, for those who may see its results. */
export const TestSettings = v.object({
  id: Id,
  version: v.number(),
  lifecycle: TestLifecycle,
  /** What the caller may do. */
  level: v.optional(AccessLevel, 'owner'),
  ownerId: Id,
  owner: v.string(),
  name: v.string(),
  description: v.string(),
  theme: v.string(),
  difficulty: v.string(),
  topic: v.string(),
  /** The chosen language; empty: that of the subject. */
  language: v.optional(v.string(), ''),
  attemptsCount: v.number(),
  startTestTime: v.nullable(IsoTime),
  endTestTime: v.nullable(IsoTime),
  passTestTime: Duration,
  maxPoints: TotalPoints,
  totalQuestions: v.number(),
  openToAll: v.boolean(),
  lateWindow: Duration,
  countedAttempt: CountedAttempt,
  visibility: Visibility,
  assignedUsers: v.array(Assignee),
  assignedGroups: v.array(
    v.object({
      groupId: Id,
      name: v.string(),
      owner: v.optional(v.string(), ''),
      memberCount: v.number(),
    }),
  ),
  personalTerms: v.array(
    v.object({ ...PersonalTerm.entries, userName: v.string(), extraMinutes: v.number() }),
  ),
  offlineStart: v.optional(v.boolean(), false),
  offlineWindow: v.optional(v.nullable(Duration), null),
  /** Everybody's attempts, and the maximum of one person. */
  attempts: v.number(),
  mostAttempts: v.number(),
  runningAttempts: v.number(),
  updatedAt: IsoTime,
});
export type TestSettings = v.InferOutput<typeof TestSettings>;

export const listCreatedTests = route({
  name: 'listCreatedTests',
  summary: 'Tests that the caller owns or shares; admins: with `everyones`, all',
  method: 'GET',
  path: '/api/Test/created',
  access: 'teacher',
  ownership: 'none',
  query: createdQuery,
  reply: listOf(CreatedTest),
});

export const createTest = route({
  name: 'createTest',
  summary: 'Create a draft; the reply is its id',
  method: 'POST',
  path: '/api/Test',
  access: 'teacher',
  ownership: 'none',
  bodyBytes: TEST_BODY_BYTES,
  body: NewTest,
  reply: Id,
});

export const updateTest = route({
  name: 'updateTest',
  summary: 'Change a test; what is absent stays as it is',
  method: 'PUT',
  path: '/api/Test',
  access: 'teacher',
  ownership: 'bodyTestEditor',
  bodyBytes: TEST_BODY_BYTES,
  body: UpdateTestBody,
  reply: v.object({ version: v.number(), updatedAt: IsoTime }),
  /** TEST_NOT_READY: the questions of a published test go live at once. */
  errors: ['NOT_FOUND', 'STALE_VERSION', 'TEST_NOT_READY'],
});

export const deleteTest = route({
  name: 'deleteTest',
  summary: 'Delete a test; one with attempts is archived instead',
  method: 'DELETE',
  path: '/api/Test/{id}',
  access: 'teacher',
  ownership: 'testOwner',
  confirmation: 'admin',
  params: byTestId,
  reply: v.object({ outcome: v.picklist(['deleted', 'archived']) }),
  errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED'],
});

export const duplicateTest = route({
  name: 'duplicateTest',
  summary: 'Copy a test as a draft of the caller, without assignments; the reply is the new id',
  method: 'POST',
  path: '/api/Test/{id}/duplicate',
  access: 'teacher',
  ownership: 'testEditor',
  params: byTestId,
  bodyType: 'none',
  reply: Id,
  errors: ['NOT_FOUND'],
});

export const setLifecycle = route({
  name: 'setLifecycle',
  summary: 'Publish a test, archive it, or bring it back; a test with attempts is no draft again',
  method: 'POST',
  path: '/api/Test/{id}/lifecycle',
  access: 'teacher',
  ownership: 'testEditor',
  params: byTestId,
  body: v.strictObject({ lifecycle: TestLifecycle }),
  reply: v.object({ lifecycle: TestLifecycle, version: v.number() }),
  errors: ['NOT_FOUND', 'TEST_HAS_ATTEMPTS', 'TEST_NOT_READY'],
});

export const getTestSettings = route({
  name: 'getTestSettings',
  summary: 'Settings of a test for those who may see its results',
  method: 'GET',
  path: '/api/Test/{id}/settings',
  access: 'teacher',
  ownership: 'testViewer',
  params: byTestId,
  reply: TestSettings,
  errors: ['NOT_FOUND'],
});
