import * as v from 'valibot';
import { AttemptHeaders } from './headers.ts';
import { paging, SearchQuery } from './paging.ts';
import { AttemptState, Duration, Id, IsoTime, listOf, TotalPoints } from './primitives.ts';
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

/** When the student may see a part of the result. */
export const DisclosureTime = v.picklist(['atOnce', 'afterClose', 'never']);
export type DisclosureTime = v.InferOutput<typeof DisclosureTime>;

export const Visibility = v.object({
  ownAnswers: DisclosureTime,
  points: DisclosureTime,
  correctAnswers: DisclosureTime,
});
export type Visibility = v.InferOutput<typeof Visibility>;

/** Which of a student's attempts gives the mark. */
export const CountedAttempt = v.picklist(['best', 'last', 'average']);
export type CountedAttempt = v.InferOutput<typeof CountedAttempt>;

/** A running attempt of the caller. */
const Running = v.object({ userTestId: Id, deadline: IsoTime, leftTestTime: Duration });

/**
 * Fields of a test in every list and overview: `owner` is a name, `theme` the key of `subject`, Russian like
 * `difficulty`.
 */
export const testSummary = {
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

/** Whether a prepared attempt of this test may begin without a network; absent: no. */
const OfflineStart = v.optional(v.boolean());

export const TestListItem = v.object({ ...testSummary, offlineStart: OfflineStart });
export type TestListItem = v.InferOutput<typeof TestListItem>;

/** A test on which the caller has an ended attempt. */
export const PassedTest = v.object({
  ...testSummary,
  /** When the newest of these attempts ended. */
  finishedAt: IsoTime,
  /** Ended attempts. */
  attempts: v.number(),
});
export type PassedTest = v.InferOutput<typeof PassedTest>;

/** The overview before a start. */
export const TestDetails = v.object({
  ...testSummary,
  description: v.string(),
  topic: v.string(),
  /** Pass time with the caller's personal extra time. */
  duration: Duration,
  attemptsCount: v.number(),
  leftAttempts: v.number(),
  totalQuestions: v.number(),
  /** How long after the deadline answers written in time still count. */
  lateWindow: Duration,
  offlineStart: OfflineStart,
  /** Whether a teacher grades some of its answers; only of a test that may begin without a network. Absent: no. */
  gradedByHand: v.optional(v.boolean()),
  visibility: Visibility,
  /** The caller's newest ended attempt. */
  lastAttemptId: v.nullable(Id),
});
export type TestDetails = v.InferOutput<typeof TestDetails>;

export const byTestId = v.object({ id: Id });

export const TestOrder = v.picklist(['new', 'name', 'deadline', 'points']);
export type TestOrder = v.InferOutput<typeof TestOrder>;

/** Query of the lists of tests; unknown parameters are ignored, wrong values are a 400. */
export const listQuery = {
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

export const listTests = route({
  name: 'listTests',
  summary: 'Test base: tests open to everyone, with the caller’s status',
  method: 'GET',
  path: '/api/Test',
  access: 'signedIn',
  ownership: 'none',
  query: baseQuery,
  reply: listOf(TestListItem),
});

export const listPassedTests = route({
  name: 'listPassedTests',
  summary:
    'Tests on which the caller has an attempt that is over; `new`: the newest end first. What was never finished comes last',
  method: 'GET',
  path: '/api/Test/passed',
  access: 'signedIn',
  ownership: 'none',
  query: baseQuery,
  reply: listOf(PassedTest),
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
