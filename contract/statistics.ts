import * as v from 'valibot';
import { QuestionKind } from './bank.ts';
import { StatisticsOrder } from './orders.ts';
import { AttemptState, GapId, Id, IsoTime, listOf, TotalPoints } from './primitives.ts';
import { route } from './route.ts';
import { paging, SearchQuery } from './paging.ts';
import { CountedAttempt } from './tests.ts';
import { ShowTrials, Trial, TrialCount } from './trials.ts';

const byTestId = v.object({ id: Id });

/** Selects attempts: of a class, and for each person the one that counts, or all. */
const chosen = {
  groupId: v.optional(Id),
  attempts: v.optional(v.picklist(['counted', 'all']), 'all'),
  trials: ShowTrials,
};

/**
 * One attempt, with the field names of section 7 of the specification, and further fields. On request also an assigned
 * student without an attempt: state 0, with null for the attempt's id, number and start.
 */
export const StatisticsRow = v.object({
  userTestId: v.nullable(Id),
  testName: v.string(),
  testPoints: TotalPoints,
  userId: Id,
  userName: v.string(),
  /** Null: it runs, or its window is open. */
  points: v.nullable(TotalPoints),
  attemptNumber: v.nullable(v.number()),
  groups: v.array(v.string()),
  state: AttemptState,
  end: v.nullable(v.picklist(['finished', 'closed'])),
  startedAt: v.nullable(IsoTime),
  finishedAt: v.nullable(IsoTime),
  /** From start to finish as the device reported, seconds; null: unfinished. */
  usedSeconds: v.nullable(v.number()),
  pendingReview: v.boolean(),
  held: v.number(),
  /** Answers that count and arrived after the deadline's grace, or after the finish. */
  receivedLate: v.optional(v.number(), 0),
  /** The mark without them; null: nothing was late, or the attempt is not over. */
  pointsWithoutLate: v.optional(v.nullable(TotalPoints), null),
  /** This attempt makes the mark. */
  counted: v.boolean(),
  trial: Trial,
});
export type StatisticsRow = v.InferOutput<typeof StatisticsRow>;

export const getStatistics = route({
  name: 'getStatistics',
  summary: 'Attempts on a test, a page of them',
  method: 'GET',
  path: '/api/Test/statistics/{id}',
  access: 'teacher',
  ownership: 'testViewer',
  params: byTestId,
  query: v.object({
    ...chosen,
    searchQuery: v.optional(SearchQuery, ''),
    sortOrder: v.optional(StatisticsOrder, 'name'),
    descending: v.optional(v.literal('1')),
    /** Assigned students without an attempt are rows, too. */
    unstarted: v.optional(v.literal('1')),
    ...paging,
  }),
  reply: v.object({
    ...listOf(StatisticsRow).entries,
    trials: TrialCount,
    /** The number of students without an attempt among the rows of all pages. */
    unstarted: v.optional(v.number(), 0),
  }),
  errors: ['NOT_FOUND'],
});

/** A verdict, explained in `domain/labels-statistics.ts`. */
export const ItemReading = v.picklist([
  'works',
  'tooEasy',
  'tooHard',
  'weak',
  'checkKey',
  'tooFew',
  'unscored',
]);
export type ItemReading = v.InferOutput<typeof ItemReading>;

/** How often a choice was made at an item. */
const Choice = v.object({
  /** The option, `left – right` of a matching, or the text as typed (normalised). */
  text: v.string(),
  /** Null: neither right nor wrong, a person grades it. */
  isRight: v.nullable(v.boolean()),
  count: v.number(),
  /** Share of those who answered, 0 to 1. */
  share: v.number(),
  /** Mean of the rest-of-test score of those who chose it, as a share of its maximum; null: nobody. */
  meanRest: v.nullable(v.number()),
});

const ItemStatistics = v.object({
  questionId: Id,
  number: v.number(),
  text: v.string(),
  kind: QuestionKind,
  multiple: v.boolean(),
  /** For an `open` question: the type of input. */
  input: v.optional(v.picklist(['line', 'number', 'text'])),
  maxPoints: TotalPoints,
  /** Attempts in which it is graded. */
  graded: v.number(),
  answered: v.number(),
  /** Mean score as a share of the maximum, 0 to 1; null: no graded attempt. */
  facility: v.nullable(v.number()),
  /** Item–rest correlation, −1 to 1; null: too few or no variance. */
  discrimination: v.nullable(v.number()),
  reading: ItemReading,
  choices: v.array(Choice),
  /** For a `gaps` question: mean share of a gap's own points, 0 to 1; null: no graded attempt. */
  gaps: v.optional(v.array(v.object({ gapId: GapId, facility: v.nullable(v.number()) })), []),
  /** Answers not among `choices`, which has the most frequent texts only. */
  otherAnswers: v.number(),
  /** Several versions of this question were used. */
  versions: v.number(),
  /** Alternatives, of which each attempt contained one; `text` is that of one of them. */
  alternatives: v.optional(v.number(), 1),
});
export type ItemStatistics = v.InferOutput<typeof ItemStatistics>;

export const TestAnalysis = v.object({
  testId: Id,
  title: v.string(),
  maxScore: TotalPoints,
  /** Number of ended attempts. */
  attempts: v.number(),
  pendingReview: v.number(),
  mean: v.nullable(v.number()),
  median: v.nullable(v.number()),
  deviation: v.nullable(v.number()),
  /** Cronbach's alpha; null: fewer than two items or attempts, or no variance. */
  alpha: v.nullable(v.number()),
  /** Standard error of measurement, points. */
  standardError: v.nullable(v.number()),
  /** Counts of attempts by points: `from` included, `to` excluded but for the last. */
  distribution: v.array(v.object({ from: v.number(), to: v.number(), count: v.number() })),
  /** Time used, minutes: the same shape. */
  time: v.array(v.object({ from: v.number(), to: v.number(), count: v.number() })),
  medianSeconds: v.nullable(v.number()),
  items: v.array(ItemStatistics),
  groups: v.array(
    v.object({
      groupId: Id,
      name: v.string(),
      owner: v.optional(v.string(), ''),
      attempts: v.number(),
    }),
  ),
  countedAttempt: CountedAttempt,
  /** Number of entries of the school's log of receipts, and its digest in base64url. */
  receiptLog: v.optional(v.object({ length: v.number(), digest: v.string() })),
});
export type TestAnalysis = v.InferOutput<typeof TestAnalysis>;

export const getAnalysis = route({
  name: 'getAnalysis',
  summary: 'What tells a teacher whether a test is good',
  method: 'GET',
  path: '/api/Test/statistics/{id}/analysis',
  access: 'teacher',
  ownership: 'testViewer',
  params: byTestId,
  query: v.object(chosen),
  reply: TestAnalysis,
  errors: ['NOT_FOUND'],
});

/** Exempt from the HTTP time-out. */
export const exportStatistics = route({
  name: 'exportStatistics',
  summary:
    'A file in base64; csv: attempts with the points of each item, xlsx: items and their answers too',
  method: 'GET',
  path: '/api/Test/statistics/{id}/export',
  access: 'teacher',
  ownership: 'testViewer',
  confirmation: 'admin',
  params: byTestId,
  query: v.object({ ...chosen, format: v.picklist(['xlsx', 'csv']) }),
  reply: v.object({ fileName: v.string(), mimeType: v.string(), content: v.string() }),
  errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED'],
});
