import { MAX_ISSUES } from '#contract/bounded-list.ts';
import type { Question } from '#contract/questions.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { Refusal } from '#server/http/refusal.ts';

/**
 * Refuses to publish questions that are not ready. Names the first 50 problems: questions within their bounds can have
 * a hundred thousand.
 * @throws {Refusal} TEST_NOT_READY with `details.problems`
 */
export function requireReady(questions: readonly Question[]): void {
  const problems = publishingProblems(questions).slice(0, MAX_ISSUES);
  if (problems.length > 0) throw new Refusal('TEST_NOT_READY', { details: { problems } });
}
