import * as v from 'valibot';
import { ValidationDetails } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';

/** Refusals that speak of one field: its name, and other words than the server's where they fit better. */
export type FieldCodes = Readonly<Record<string, { field: string; words?: string }>>;

/** What a refused form says of its fields, by their names. */
export function fieldProblems(error: unknown, codes: FieldCodes = {}): ReadonlyMap<string, string> {
  if (!(error instanceof ApiFailure)) return new Map();
  const known = error.code === undefined ? undefined : codes[error.code];
  if (known !== undefined) return new Map([[known.field, known.words ?? error.message]]);
  const details = v.safeParse(ValidationDetails, error.details);
  if (!details.success) return new Map();
  return new Map(
    details.output.fields.map(({ field, message }) => [field.split('.').at(-1) ?? '', message]),
  );
}
