import * as v from 'valibot';
import { AttemptHeaders } from './headers.ts';
import {
  PAGE_SIZE_MOST,
  QUESTION_ROWS_PER_TEST,
  QUESTIONS_PER_TEST,
  TEST_BODY_BYTES,
} from './limits.ts';
import {
  AttemptState,
  Duration,
  Id,
  isHundredths,
  IsoTime,
  listOf,
  NonNegativeInteger,
  PositiveInteger,
  TotalPoints,
  TWO_DECIMALS,
} from './primitives.ts';
import { Question, StudentQuestion } from './questions.ts';
import { route } from './route.ts';
import { Difficulty, Theme } from './themes.ts';

/** Status of a test for one student, decided by the server. */
export const TestStatus = v.picklist([
  'scheduled',
  'available',
  'inProgress',
  'pendingReview',
  'passed',
  'overdue',
  'closed',
]);
export type TestStatus = v.InferOutput<typeof TestStatus>;

/** Lifecycle of a test, shown to those who may edit it. */
export const TestLifecycle = v.picklist(['draft', 'active', 'archived']);
export type TestLifecycle = v.InferOutput<typeof TestLifecycle>;

/** When a part of the result may be seen by the student. */
export const Moment = v.picklist(['atOnce', 'afterClose', 'never']);
export type Moment = v.InferOutput<typeof Moment>;

export const Visibility = v.object({ ownAnswers: Moment, points: Moment, correctAnswers: Moment });
export type Visibility = v.InferOutput<typeof Visibility>;

/** An attempt of the caller that runs now. */
const Running = v.object({ userTestId: Id, deadline: IsoTime, leftTestTime: Duration });

/** `owner` is a name; `subject` and `difficulty` Russian labels; `theme` the subject's key. */
const shared = {
  id: Id,
  owner: v.string(),
  title: v.string(),
  theme: v.string(),
  subject: v.string(),
  difficulty: v.string(),
  startDate: v.nullable(IsoTime),
  endDate: v.nullable(IsoTime),
  totalPoints: TotalPoints,
  /** Null: nothing to show yet, or points may not be seen. */
  currentPoints: v.nullable(TotalPoints),
  status: v.union([TestStatus, TestLifecycle]),
  running: v.nullable(Running),
};

export const TestListItem = v.object(shared);
export type TestListItem = v.InferOutput<typeof TestListItem>;

/** A test on which the caller has an attempt that is over. */
export const PassedTest = v.object({
  ...shared,
  /** When the newest of these attempts ended. */
  finishedAt: IsoTime,
  /** Attempts that are over. */
  attempts: v.number(),
});
export type PassedTest = v.InferOutput<typeof PassedTest>;

/** What the overview shows before a start. */
export const TestDetails = v.object({
  ...shared,
  description: v.string(),
  topic: v.string(),
  /** Pass time with the caller's own extra time. */
  duration: Duration,
  attemptsCount: v.number(),
  leftAttempts: v.number(),
  totalQuestions: v.number(),
  /** How long after the deadline answers written in time still count. */
  lateWindow: Duration,
  visibility: Visibility,
  /** The caller's newest attempt that is over. */
  lastAttemptId: v.nullable(Id),
});
export type TestDetails = v.InferOutput<typeof TestDetails>;

/** The test payload of the specification; for a student without a running attempt `questions` is empty. */
const TestPayload = v.object({
  id: Id,
  version: v.number(),
  name: v.string(),
  description: v.string(),
  theme: v.string(),
  difficulty: v.string(),
  topic: v.string(),
  attemptsCount: v.number(),
  startTestTime: v.nullable(IsoTime),
  endTestTime: v.nullable(IsoTime),
  passTestTime: Duration,
  maxPoints: TotalPoints,
  questions: v.union([v.array(Question), v.array(StudentQuestion)]),
});

const byTestId = v.object({ id: Id });

export const TestOrder = v.picklist(['new', 'name', 'deadline', 'points']);
export type TestOrder = v.InferOutput<typeof TestOrder>;

export const SearchQuery = v.pipe(v.string(), v.trim(), v.maxLength(200, 'Слишком длинный запрос'));

/** A part of a list: `page` from 1. */
export const paging = {
  page: v.optional(PositiveInteger, 1),
  pageSize: v.optional(v.pipe(PositiveInteger, v.maxValue(PAGE_SIZE_MOST)), 20),
};

/** Query of the lists of tests; unknown parameters are ignored, wrong values are a 400. */
const listQuery = {
  searchQuery: v.optional(SearchQuery, ''),
  sortOrder: v.optional(TestOrder, 'new'),
  ...paging,
};
const baseQuery = v.object({
  ...listQuery,
  subject: v.optional(Theme),
  difficulty: v.optional(Difficulty),
  status: v.optional(TestStatus),
});

const createdQuery = v.object({
  ...listQuery,
  subject: v.optional(Theme),
  status: v.optional(TestLifecycle),
  everyones: v.optional(v.literal('1')),
});
export type ListCreatedQuery = v.InferOutput<typeof createdQuery>;

/** A test as its owner's list shows it. */
export const CreatedTest = v.object({
  ...shared,
  lifecycle: TestLifecycle,
  version: v.number(),
  totalQuestions: v.number(),
  /** Attempts of everybody, deleted ones aside. */
  attempts: v.number(),
  running: v.null(),
  /** Attempts that run now. */
  runningAttempts: v.number(),
  /** Answers that wait for a grade. */
  pendingGrades: v.number(),
  /** Answers held until the teacher decides. */
  heldAnswers: v.number(),
  updatedAt: IsoTime,
});
export type CreatedTest = v.InferOutput<typeof CreatedTest>;

export const CountedAttempt = v.picklist(['best', 'last', 'average']);
export type CountedAttempt = v.InferOutput<typeof CountedAttempt>;

const name = v.pipe(
  v.string('Введите название теста'),
  v.trim(),
  v.nonEmpty('Введите название теста'),
  v.maxLength(200, 'Название не длиннее 200 символов'),
);
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

/** The test payload of the specification as it is sent; a sent `maxPoints` is ignored. */
const payload = {
  name,
  description: v.pipe(v.string(), v.maxLength(5_000, 'Описание не длиннее 5000 символов')),
  theme: v.union([Theme, v.literal('')]),
  difficulty: v.union([Difficulty, v.literal('')]),
  topic: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'Тема не длиннее 200 символов'))),
  attemptsCount,
  startTestTime: v.nullable(IsoTime),
  endTestTime: v.nullable(IsoTime),
  passTestTime,
  maxPoints: v.optional(TotalPoints),
};
/** Whether alternatives of one question stand side by side. */
function areVariantsTogether(list: Question[]): boolean {
  const groups = list.map(({ variantOf, questionId }) => variantOf ?? questionId);
  const runs = groups.filter((group, index) => group !== groups[index - 1]);
  return new Set(runs).size === runs.length;
}

/** Every rule of the questions of one test that holds before it is ready, too. */
export const TestQuestions = v.pipe(
  v.array(Question),
  v.maxLength(QUESTION_ROWS_PER_TEST, `Не больше ${QUESTION_ROWS_PER_TEST} вопросов с вариантами`),
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

/** One person's own time and attempts. */
const PersonalTerm = v.strictObject({
  userId: Id,
  extraMinutes: v.pipe(
    NonNegativeInteger,
    v.maxValue(1_440, 'Не больше суток дополнительного времени'),
  ),
  attemptsCount: v.nullable(attemptsCount),
});

/** What a teacher sets beside the payload: who, when, and what is shown. */
const settings = {
  openToAll: v.boolean(),
  lateWindow: Duration,
  countedAttempt: CountedAttempt,
  visibility: Visibility,
  assignedUserIds: v.pipe(v.array(Id), v.maxLength(2_000)),
  assignedGroupIds: v.pipe(v.array(Id), v.maxLength(200)),
  personalTerms: v.pipe(v.array(PersonalTerm), v.maxLength(2_000)),
};

/** What is absent stays as it is. */
const UpdateTestBody = v.strictObject({
  id: Id,
  /** As it was read; a stale one is a 409 and overwrites nothing. */
  version: PositiveInteger,
  ...v.partial(v.object({ ...payload, ...settings, questions: TestQuestions })).entries,
});
export type UpdateTestBody = v.InferInput<typeof UpdateTestBody>;
/** The same as the server gets it, parsed. */
export type UpdateTestInput = v.InferOutput<typeof UpdateTestBody>;

const NewTest = v.strictObject({ ...payload, questions: v.optional(TestQuestions, []) });
export type NewTest = v.InferOutput<typeof NewTest>;

/** No e-mail: a teacher may assign anybody of the school. */
const Assignee = v.object({ userId: Id, userName: v.string() });

/** Everything of a test but its questions, for those who may edit it. */
export const TestSettings = v.object({
  id: Id,
  version: v.number(),
  lifecycle: TestLifecycle,
  ownerId: Id,
  owner: v.string(),
  name: v.string(),
  description: v.string(),
  theme: v.string(),
  difficulty: v.string(),
  topic: v.string(),
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
  assignedGroups: v.array(v.object({ groupId: Id, name: v.string(), memberCount: v.number() })),
  personalTerms: v.array(
    v.object({ ...PersonalTerm.entries, userName: v.string(), extraMinutes: v.number() }),
  ),
  /** Attempts of everybody, and the most that one person made. */
  attempts: v.number(),
  mostAttempts: v.number(),
  runningAttempts: v.number(),
  updatedAt: IsoTime,
});
export type TestSettings = v.InferOutput<typeof TestSettings>;

export const listTests = route({
  name: 'listTests',
  summary: 'Test base: tests open to everyone, with the caller’s status',
  method: 'GET',
  path: '/api/Test',
  access: 'signedIn',
  ownership: 'none',
  query: baseQuery,
  reply: listOf(TestListItem),
  errors: [],
});

export const listPassedTests = route({
  name: 'listPassedTests',
  summary: 'Tests on which the caller has an attempt that is over; `new`: the newest end first',
  method: 'GET',
  path: '/api/Test/passed',
  access: 'signedIn',
  ownership: 'none',
  query: baseQuery,
  reply: listOf(PassedTest),
  errors: [],
});

export const listCreatedTests = route({
  name: 'listCreatedTests',
  summary: 'Tests that the caller owns; admins: with `everyones`, all',
  method: 'GET',
  path: '/api/Test/created',
  access: 'teacher',
  ownership: 'none',
  query: createdQuery,
  reply: listOf(CreatedTest),
  errors: [],
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
  errors: [],
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
  ownership: 'testEditor',
  params: byTestId,
  reply: v.object({ outcome: v.picklist(['deleted', 'archived']) }),
  errors: ['NOT_FOUND'],
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
  summary: 'Settings of a test for those who may edit it',
  method: 'GET',
  path: '/api/Test/{id}/settings',
  access: 'teacher',
  ownership: 'testEditor',
  params: byTestId,
  reply: TestSettings,
  errors: ['NOT_FOUND'],
});
const byAttemptId = v.object({ attemptId: Id });

export const listMyTests = route({
  name: 'listMyTests',
  summary: 'Tests assigned to the caller',
  method: 'GET',
  path: '/api/Test/my',
  access: 'signedIn',
  ownership: 'none',
  reply: listOf(TestListItem),
  errors: [],
});

export const getTestDetails = route({
  name: 'getTestDetails',
  summary: 'Test details for the overview',
  method: 'GET',
  path: '/api/Test/{id}/short',
  access: 'signedIn',
  ownership: 'testReader',
  params: byTestId,
  reply: TestDetails,
  errors: ['NOT_FOUND'],
});

export const getTest = route({
  name: 'getTest',
  summary:
    'Full test: with keys for its editors, pinned and without keys for a student who runs it',
  method: 'GET',
  path: '/api/Test/{id}',
  access: 'signedIn',
  ownership: 'testReader',
  params: byTestId,
  reply: TestPayload,
  errors: ['NOT_FOUND'],
});

export const getPassing = route({
  name: 'getPassing',
  summary: 'State and time left of an attempt',
  method: 'GET',
  path: '/api/Test/userTest/{attemptId}',
  access: 'signedIn',
  ownership: 'attemptReader',
  params: byAttemptId,
  headers: AttemptHeaders,
  reply: v.object({
    userTestId: Id,
    testId: Id,
    title: v.string(),
    attemptNumber: v.number(),
    attemptsCount: v.number(),
    state: AttemptState,
    leftTestTime: Duration,
    startedAt: IsoTime,
    deadline: IsoTime,
    /** Answers written in time count when they arrive by then. */
    countsUntil: IsoTime,
    finishedAt: v.nullable(IsoTime),
    serverTime: IsoTime,
  }),
  errors: ['NOT_FOUND', 'GONE'],
});
