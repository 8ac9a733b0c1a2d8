import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { Answer } from './answers.ts';
import { Id, IsoTime, listOf, Points, TotalPoints } from './primitives.ts';
import { Question } from './questions.ts';
import { route } from './route.ts';
import { paging } from './paging.ts';
import { ShowTrials, Trial, TrialCount } from './trials.ts';

const byTestId = v.object({ id: Id });
const ofTest = { access: 'teacher', ownership: 'testGrader', params: byTestId } as const;

/** How the points of an answer were determined. */
const GradedBy = v.picklist(['nobody', 'key', 'person']);

/** One answer of one ended attempt, as the grading screen shows it. */
export const GradingEntry = v.object({
  attemptId: Id,
  attemptNumber: v.number(),
  trial: Trial,
  userId: Id,
  userName: v.string(),
  groups: v.array(v.string()),
  questionId: Id,
  /** In the attempt's version, with its number among the attempt's questions. */
  question: Question,
  number: v.number(),
  /** Null: unanswered. */
  operationId: v.nullable(Id),
  answer: v.nullable(Answer),
  receivedAt: v.nullable(IsoTime),
  receivedLate: v.boolean(),
  /** Null: it has no grade yet. */
  points: v.nullable(Points),
  maxPoints: Points,
  gradedBy: GradedBy,
  /** The key's points; null: only a person can grade it. */
  keyPoints: v.nullable(Points),
  comment: v.string(),
  /** Why a person's grade replaces the key's; empty: none was required. */
  reason: v.string(),
  /** The grader and the time; null: no manual grade. */
  grader: v.nullable(v.string()),
  gradedAt: v.nullable(IsoTime),
});
export type GradingEntry = v.InferOutput<typeof GradingEntry>;

export const listGrading = route({
  name: 'listGrading',
  summary: 'Answers to grade: those that wait, or all to one item across the students',
  method: 'GET',
  path: '/api/Test/{id}/grading',
  ...ofTest,
  query: v.object({
    questionId: v.optional(Id),
    attemptId: v.optional(Id),
    groupId: v.optional(Id),
    trials: ShowTrials,
    show: v.optional(v.picklist(['pending', 'all']), 'pending'),
    ...paging,
  }),
  reply: v.object({
    ...listOf(GradingEntry).entries,
    title: v.string(),
    /** Items in the order of the newest content, with the number of waiting answers and of all. */
    questions: v.array(
      v.object({
        question: Question,
        number: v.number(),
        pending: v.number(),
        answered: v.number(),
      }),
    ),
    /** Undecided held answers, and attempts with missing operations. */
    held: v.number(),
    missing: v.number(),
    trials: TrialCount,
  }),
  errors: ['NOT_FOUND'],
});

/** A change of a grade or of a whole mark, newest first. */
const GradeLogEntry = v.object({
  at: IsoTime,
  /** Null: the server by its rules. */
  actor: v.nullable(v.string()),
  /** Null: the mark of the whole attempt. */
  questionId: v.nullable(Id),
  oldPoints: v.nullable(TotalPoints),
  newPoints: v.nullable(TotalPoints),
  /** The person's reason, or for a whole mark the rule that changed it. */
  reason: v.string(),
  comment: v.string(),
});

export const listGradeLog = route({
  name: 'listGradeLog',
  summary: 'Who changed what of an attempt’s mark, and why',
  method: 'GET',
  path: '/api/attempts/{attemptId}/grade-log',
  access: 'teacher',
  ownership: 'attemptGrader',
  params: v.object({ attemptId: Id }),
  reply: listOf(GradeLogEntry),
  errors: ['NOT_FOUND'],
});

const HeldOfAttempt = v.object({
  attemptId: Id,
  attemptNumber: v.number(),
  trial: Trial,
  userId: Id,
  userName: v.string(),
  groups: v.array(v.string()),
  deadline: IsoTime,
  countsUntil: IsoTime,
  /** The present mark, and the marks if all held answers are accepted or refused; null: the attempt is running. */
  score: v.nullable(TotalPoints),
  scoreIfAccepted: v.nullable(TotalPoints),
  scoreIfRefused: v.nullable(TotalPoints),
  maxScore: TotalPoints,
  answers: v.array(
    v.object({
      operationId: Id,
      questionId: Id,
      number: v.number(),
      questionText: v.string(),
      answer: Answer,
      /** As text: chosen options, pairs, the text or the file's name. */
      answerText: v.string(),
      writtenAt: v.nullable(IsoTime),
      seenServerAt: v.nullable(IsoTime),
      receivedAt: IsoTime,
      /** It arrived when its student could have seen the result already. */
      afterResult: v.optional(v.boolean(), false),
      decision: v.nullable(v.picklist(['accepted', 'refused'])),
    }),
  ),
});
export type HeldOfAttempt = v.InferOutput<typeof HeldOfAttempt>;

export const listTestHeld = route({
  name: 'listTestHeld',
  summary: 'Held answers of a test by attempt, those without a decision first',
  method: 'GET',
  path: '/api/Test/{id}/held',
  ...ofTest,
  query: v.object({ groupId: v.optional(Id), trials: ShowTrials, ...paging }),
  reply: listOf(HeldOfAttempt),
  errors: ['NOT_FOUND'],
});

export const decideTestHeld = route({
  name: 'decideTestHeld',
  summary: 'Accept or refuse held answers of several attempts at once',
  method: 'POST',
  path: '/api/Test/{id}/held',
  ...ofTest,
  body: v.strictObject({
    decision: v.picklist(['accepted', 'refused']),
    operationIds: v.pipe(boundedList(Id, 2_000), v.minLength(1)),
  }),
  reply: v.object({
    decided: v.number(),
    attempts: v.array(v.object({ attemptId: Id, score: v.nullable(TotalPoints) })),
  }),
  errors: ['NOT_FOUND'],
});

/** Known gaps in the answers. */
const MissingOfAttempt = v.object({
  /** Null: the server does not know the attempt (it was restored from a backup). */
  attemptId: v.nullable(Id),
  userId: Id,
  userName: v.string(),
  attemptNumber: v.nullable(v.number()),
  trial: Trial,
  end: v.nullable(v.picklist(['finished', 'closed'])),
  endedAt: v.nullable(IsoTime),
  answered: v.number(),
  totalQuestions: v.number(),
  lastSeenAt: v.nullable(IsoTime),
  /** Operations that devices reported as written and the server does not have. */
  missing: v.number(),
  /** The time of the device's report. */
  missingAt: v.nullable(IsoTime),
  /** Answers that arrived for an attempt unknown to the server. */
  stray: v.number(),
  /** When the attempt was recreated from receipts of its devices, after a restore; null: it was not. */
  recoveredAt: v.nullable(IsoTime),
});

export const listMissing = route({
  name: 'listMissing',
  summary: 'Attempts the server closed or made again, and devices whose answers never came',
  method: 'GET',
  path: '/api/Test/{id}/missing',
  ...ofTest,
  query: v.object({ groupId: v.optional(Id), trials: ShowTrials, ...paging }),
  reply: listOf(MissingOfAttempt),
  errors: ['NOT_FOUND'],
});

export const correctKey = route({
  name: 'correctKey',
  summary: 'Mend a wrong key: all attempts with this question are scored again',
  method: 'POST',
  path: '/api/Test/{id}/key-corrections',
  ...ofTest,
  ownership: 'testEditor',
  bodyBytes: 1024 * 1024,
  body: v.strictObject({
    question: Question,
    reason: v.pipe(
      v.string('Напишите, что исправлено'),
      v.trim(),
      v.nonEmpty('Напишите, что исправлено'),
      v.maxLength(500, 'Не длиннее 500 символов'),
    ),
    /** Only reports what would change. */
    dryRun: v.optional(v.boolean(), false),
  }),
  reply: v.object({
    rescored: v.number(),
    changed: v.array(
      v.object({
        attemptId: Id,
        userName: v.string(),
        oldPoints: v.nullable(TotalPoints),
        newPoints: v.nullable(TotalPoints),
      }),
    ),
  }),
  errors: ['NOT_FOUND', 'UNKNOWN_QUESTION', 'KEY_ONLY'],
});
