import * as v from 'valibot';
import { ValidationDetails } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';

/** What a refused sign-in says, and where. */
export interface SignInProblem {
  /** Messages at fields, by name. */
  fields: ReadonlyMap<string, string>;
  /** Words for the whole form; null when the fields say it all. */
  form: string | null;
}

const UNREACHABLE = 'Сервер не отвечает. Проверьте сеть и повторите';

function fieldMessages(error: ApiFailure, names: readonly string[]): ReadonlyMap<string, string> {
  if (error.code === 'EMAIL_TAKEN') return new Map([['email', error.message]]);
  const details = v.safeParse(ValidationDetails, error.details);
  if (!details.success) return new Map();
  return new Map(
    details.output.fields
      .map(({ field, message }) => [field.split('.').at(-1) ?? '', message] as const)
      .filter(([name]) => names.includes(name)),
  );
}

/** A failed sign-in or registration in words; `names` are the form's fields. */
export function signInProblem(error: unknown, names: readonly string[]): SignInProblem {
  if (!(error instanceof ApiFailure))
    return { fields: new Map(), form: 'Unexpected error occurred' };
  if (error.kind === 'unreachable' || error.kind === 'notOurs') {
    return { fields: new Map(), form: UNREACHABLE };
  }
  const fields = fieldMessages(error, names);
  return { fields, form: fields.size > 0 ? null : error.message };
}
