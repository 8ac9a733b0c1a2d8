import * as v from 'valibot';
import { ValidationDetails } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';

/** Error codes that belong to one field: its name, and a message that overrides the server's. */
export type FieldCodes = Readonly<Record<string, { field: string; message?: string }>>;

/** Messages of a refused form by the field's path in the request. */
export function fieldProblems(error: unknown, codes: FieldCodes = {}): ReadonlyMap<string, string> {
  if (!(error instanceof ApiFailure)) return new Map();
  const match = error.code === undefined ? undefined : codes[error.code];
  if (match !== undefined) return new Map([[match.field, match.message ?? error.message]]);
  const details = v.safeParse(ValidationDetails, error.details);
  if (!details.success) return new Map();
  return new Map(details.output.fields.map(({ field, message }) => [field, message]));
}

/** The path of an issue of a form, from a field's name such as `list.0.field`. */
export function issuePath(field: string): [v.IssuePathItem, ...v.IssuePathItem[]] {
  const item = (key: string): v.IssuePathItem => ({
    type: 'unknown',
    origin: 'value',
    input: undefined,
    key,
    value: undefined,
  });
  const [first = '', ...rest] = field.split('.');
  return [item(first), ...rest.map(item)];
}
