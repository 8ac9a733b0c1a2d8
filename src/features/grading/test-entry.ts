import type { GradingEntry } from '#contract/grading.ts';
import type { HeldBegin } from '#contract/offers.ts';

const question = {
  questionId: '00000000-0000-4000-8000-000000000003',
  kind: 'open',
  text: 'Опишите опыт',
  points: 5,
  input: 'text',
  accepted: [],
  tolerance: 0,
} as const;

/** An ungraded entry for tests. */
export const pendingEntry = (given: Partial<GradingEntry>): GradingEntry => ({
  attemptId: '00000000-0000-4000-8000-000000000001',
  attemptNumber: 1,
  trial: false,
  userId: '00000000-0000-4000-8000-000000000002',
  userName: 'Алёшина Анна',
  groups: [],
  questionId: question.questionId,
  question: { ...question, accepted: [] },
  number: 1,
  operationId: '00000000-0000-4000-8000-000000000004',
  answer: null,
  receivedAt: null,
  receivedLate: false,
  points: null,
  maxPoints: 5,
  gradedBy: 'nobody',
  keyPoints: null,
  comment: '',
  reason: '',
  grader: null,
  gradedAt: null,
  ...given,
});

/** A begin that waits for a decision, for tests. */
export const heldBegin = (attemptId: string, changes: Partial<HeldBegin> = {}): HeldBegin => ({
  attemptId,
  stream: `${attemptId} ${changes.hold ?? 'beforeCode'}`,
  attemptNumber: 1,
  userId: attemptId,
  userName: `Ученик ${attemptId}`,
  groups: ['9А'],
  hold: 'beforeCode',
  isOtherDevice: false,
  begunAt: '2026-05-22T06:50:00.000Z',
  deadline: '2026-05-22T07:30:00.000Z',
  receivedAt: '2026-05-22T09:00:00.000Z',
  seenServerAt: '2026-05-22T06:44:00.000Z',
  isAgeUnknown: false,
  heldAnswers: 5,
  decision: null,
  isInQuestion: true,
  ...changes,
});
