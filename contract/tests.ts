import * as v from 'valibot';
import { AttemptHeaders } from './headers.ts';
import { AttemptState, Duration, Id, IsoTime, listOf, TotalPoints } from './primitives.ts';
import { Question, StudentQuestion } from './questions.ts';
import { route } from './route.ts';

export const Difficulty = v.picklist(['easy', 'medium', 'hard']);
export type Difficulty = v.InferOutput<typeof Difficulty>;

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
