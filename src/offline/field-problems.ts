import * as v from 'valibot';
import { ValidationDetails } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';

/** Codes that speak of one field, by the name of that field. */
type FieldCodes = Readonly<Record<string, string>>;

/** What a refused form says of its fields, by their names; `codes`: refusals that belong to a field. */
export function fieldProblems(error: unknown, codes: FieldCodes = {}): ReadonlyMap<string, string> {
  if (!(error instanceof ApiFailure)) return new Map();
  const field = error.code === undefined ? undefined : codes[error.code];
  if (field !== undefined) return new Map([[field, error.message]]);
  const details = v.safeParse(ValidationDetails, error.details);
  if (!details.success) return new Map();
  return new Map(
    details.output.fields.map((one) => [one.field.split('.').at(-1) ?? '', one.message] as const),
  );
}
