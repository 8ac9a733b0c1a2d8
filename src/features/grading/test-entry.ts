import type { GradingEntry } from '#contract/grading.ts';

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
