import * as v from 'valibot';
import { ValidationDetails } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { failureWords } from '#app/offline/failure-words.ts';

/** A refused change in words: what is wrong with its fields, else what happened. Null: nothing did. */
export function problemWords(error: unknown): string | null {
  if (error === null) return null;
  if (error instanceof ApiFailure && error.code === 'VALIDATION') {
    const details = v.safeParse(ValidationDetails, error.details);
    if (details.success && details.output.fields.length > 0)
      return details.output.fields.map(({ message }) => message).join('. ');
  }
  return failureWords(error);
}
