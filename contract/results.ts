import * as v from 'valibot';
import { Answer } from './answers.ts';
import { AttemptState, Id, IsoTime, Points, TotalPoints } from './primitives.ts';
import { Trial } from './trials.ts';
import { Credit, Question, StudentQuestion } from './questions.ts';
import { route } from './route.ts';
import { CountedAttempt } from './tests.ts';

const score = {
  /** Points so far; null while they are hidden. */
  score: v.nullable(TotalPoints),
  maxScore: TotalPoints,
};

const AttemptRow = v.object({
  attemptNumber: v.number(),
  attemptId: Id,
  ...score,
  state: AttemptState,
  startedAt: IsoTime,
  finishedAt: v.nullable(IsoTime),
  pendingReview: v.boolean(),
  /** It makes the mark, or a part of it. False while its points may not be seen. */
  counts: v.boolean(),
  trial: Trial,
});

export const ItemVerdict = v.picklist(['right', 'partial', 'wrong', 'unanswered', 'pending']);
export type ItemVerdict = v.InferOutput<typeof ItemVerdict>;

/** One attempt's result. Between deadline and close it has neither points nor keys. */
export const AttemptResult = v.object({
  testId: Id,
  title: v.string(),
  attemptId: Id,
  attemptNumber: v.number(),
  trial: Trial,
  attemptsCount: v.number(),
  userId: Id,
  userName: v.string(),
  state: AttemptState,
  /** `closed`: the server ended it because nobody finished. */
  end: v.nullable(v.picklist(['finished', 'closed'])),
  startedAt: IsoTime,
  deadline: IsoTime,
  countsUntil: IsoTime,
  finishedAt: v.nullable(IsoTime),
  lastReceivedAt: v.nullable(IsoTime),
  ...score,
  /** Sum of points of the graded items; less than maxScore while a grade is missing. */
  gradedMaxScore: v.nullable(TotalPoints),
  totalQuestions: v.number(),
  answeredQuestions: v.number(),
  unansweredNumbers: v.array(v.number()),
  /** Numbers of the questions that need a manual grade. */
  pendingNumbers: v.array(v.number()),
  /** Answers that count and arrived after the deadline's grace. */
  receivedLate: v.number(),
  /** Answers that need the teacher's decision. */
  held: v.number(),
  /** The mark without late answers; null where score is null or nothing was late. */
  scoreWithoutLate: v.nullable(TotalPoints),
  /** From when correct answers may be seen; null: never. */
  correctAnswersFrom: v.nullable(IsoTime),
  /** Per question; empty while points may not be seen. */
  items: v.array(
    v.object({
      questionId: Id,
      number: v.number(),
      points: v.nullable(Points),
      /** 0 if the question is left out. */
      maxPoints: Points,
      verdict: ItemVerdict,
      credit: v.optional(Credit),
      comment: v.nullable(v.string()),
    }),
  ),
});
export type AttemptResult = v.InferOutput<typeof AttemptResult>;

export const listResults = route({
  name: 'listResults',
  summary: 'Attempts of one user on a test: the caller’s own, or `userId` for the test’s teacher',
  method: 'GET',
  path: '/api/Test/{id}/results',
  access: 'signedIn',
  ownership: 'testReader',
  params: v.object({ id: Id }),
  query: v.object({ userId: v.optional(Id) }),
  reply: v.object({
    testId: Id,
    title: v.string(),
    totalAttempts: v.number(),
    /** How several attempts become one mark. */
    countedAttempt: CountedAttempt,
    /** That mark at present; null: no points may be seen yet. */
    mark: v.nullable(TotalPoints),
    attempts: v.array(AttemptRow),
  }),
  errors: ['NOT_FOUND'],
});

export const getResult = route({
  name: 'getResult',
  summary: 'Result of one attempt',
  method: 'GET',
  path: '/api/Test/results/{attemptId}',
  access: 'signedIn',
  ownership: 'attemptReader',
  params: v.object({ attemptId: Id }),
  reply: AttemptResult,
  errors: ['NOT_FOUND', 'GONE', 'BEGIN_HELD'],
});

/** One question of an attempt with the parts that its reader may see now. */
const PreviewItem = v.object({
  number: v.number(),
  /** With its key only if correct answers may be seen. */
  question: v.union([Question, StudentQuestion]),
  /** Null: unanswered, or own answers may not be seen. */
  answer: v.nullable(Answer),
  answered: v.boolean(),
  receivedLate: v.boolean(),
  /** Null: not graded yet, or points may not be seen. */
  points: v.nullable(Points),
  verdict: v.nullable(ItemVerdict),
  /** Absent: by the key, or points may not be seen. */
  credit: v.optional(Credit),
  comment: v.nullable(v.string()),
});

export const AttemptPreview = v.object({
  testId: Id,
  title: v.string(),
  /** Of the questions. */
  language: v.optional(v.string()),
  attemptId: Id,
  attemptNumber: v.number(),
  userId: Id,
  userName: v.string(),
  state: AttemptState,
  /** From when each part may be seen: null means never; a past time means it is shown. */
  ownAnswersFrom: v.nullable(IsoTime),
  pointsFrom: v.nullable(IsoTime),
  correctAnswersFrom: v.nullable(IsoTime),
  shows: v.object({ ownAnswers: v.boolean(), points: v.boolean(), correctAnswers: v.boolean() }),
  score: v.nullable(TotalPoints),
  maxScore: TotalPoints,
  items: v.array(PreviewItem),
});
export type AttemptPreview = v.InferOutput<typeof AttemptPreview>;

export const getAttemptPreview = route({
  name: 'getAttemptPreview',
  summary: 'Answers of an attempt, with what the reader may see of them now',
  method: 'GET',
  path: '/api/Test/results/{attemptId}/preview',
  access: 'signedIn',
  ownership: 'attemptReader',
  params: v.object({ attemptId: Id }),
  reply: AttemptPreview,
  errors: ['NOT_FOUND', 'GONE', 'BEGIN_HELD'],
});
