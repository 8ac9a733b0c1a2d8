import { failureWords } from '#app/offline/failure-words.ts';
import type { FieldCodes } from '#app/offline/field-problems.ts';

/** A refused change in words; null: nothing was refused. */
export const problemWords = (error: unknown): string | null =>
  error === null ? null : failureWords(error);

/** What the server refuses because of one field of a person. */
export const PERSON_CODES: FieldCodes = {
  EMAIL_TAKEN: { field: 'email', words: 'Эта почта занята другой учётной записью' },
};
