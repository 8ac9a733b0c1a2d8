import type { Question } from '#contract/questions.ts';
import { matchesAccepted } from './normalise.ts';

type Open = Extract<Question, { kind: 'open' }>;
type Accepted = Open['accepted'][number];

/** The answers of the key that a typed one equals, each by its own tolerance, the best paid first. */
export const matchedAnswers = (question: Open, typed: string): Accepted[] =>
  question.accepted
    .filter(({ text, tolerance }) => matchesAccepted(typed, text, tolerance ?? question.tolerance))
    .sort((a, b) => b.share - a.share);

/** What is told with a typed answer; empty: nothing. */
export const answerFeedback = (question: Open, typed: string): string =>
  matchedAnswers(question, typed).find(({ feedback }) => feedback)?.feedback ?? '';
