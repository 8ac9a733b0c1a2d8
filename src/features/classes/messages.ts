import * as v from 'valibot';
import { ValidationDetails } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';

/** Message of a refused change: field errors, else the failure. Null: none. */
export function problemMessage(error: unknown): string | null {
  if (error === null) return null;
  if (error instanceof ApiFailure && error.code === 'VALIDATION') {
    const details = v.safeParse(ValidationDetails, error.details);
    if (details.success && details.output.fields.length > 0)
      return details.output.fields.map(({ message }) => message).join('. ');
  }
  return describeFailure(error);
}
