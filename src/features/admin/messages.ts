import { describeFailure } from '#app/lib/failure-messages.ts';
import type { FieldCodes } from '#app/lib/field-problems.ts';

/** Message of a refused change; null: none. */
export const problemMessage = (error: unknown): string | null =>
  error === null ? null : describeFailure(error);

/** Error codes that belong to one field of a person. */
export const PERSON_CODES: FieldCodes = {
  EMAIL_TAKEN: { field: 'email', message: 'Эта почта занята другой учётной записью' },
};
