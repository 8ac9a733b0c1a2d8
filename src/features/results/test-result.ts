import type { AttemptResult } from '#contract/results.ts';

const ID = '01900000-0000-7000-8000-000000000001';

/** The result of a finished attempt with every grade, for tests. */
export const finishedResult: AttemptResult = {
  testId: ID,
  title: 'Законы Ньютона',
  attemptId: ID,
  attemptNumber: 1,
  trial: false,
  attemptsCount: 2,
  userId: ID,
  userName: 'Анна Кузнецова',
  state: 2,
  end: 'finished',
  startedAt: '2026-05-22T07:27:00Z',
  deadline: '2026-05-22T08:07:00Z',
  countsUntil: '2026-05-22T08:22:00Z',
  finishedAt: '2026-05-22T08:01:00Z',
  lastReceivedAt: '2026-05-22T08:04:00Z',
  score: 29,
  maxScore: 40,
  gradedMaxScore: 40,
  totalQuestions: 20,
  answeredQuestions: 20,
  unansweredNumbers: [],
  pendingNumbers: [],
  receivedLate: 0,
  held: 0,
  scoreWithoutLate: null,
  correctAnswersFrom: null,
  items: [],
};
