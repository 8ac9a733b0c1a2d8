import { describeFailure } from '#app/lib/failure-messages.ts';
import { fieldProblems } from '#app/lib/field-problems.ts';

/** Message of a refused change: field errors, else the failure. Null: none. */
export const problemMessage = (error: unknown): string | null =>
  error === null ? null : [...fieldProblems(error).values()].join('. ') || describeFailure(error);
