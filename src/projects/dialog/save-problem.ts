import * as v from 'valibot';
import { ValidationDetails } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { fieldOfWire, type ProjectValues } from './form-values.ts';

/** What a failed save says, and where. */
export interface SaveProblem {
  fields: ReadonlyMap<keyof ProjectValues, string>;
  /** Words for the whole form; null when the fields say it all. */
  form: string | null;
}

const LOST_ANSWER =
  'Ответ сервера не пришёл, и проект мог сохраниться. Посмотрите список проектов, прежде чем повторять: всё введённое остаётся здесь.';

/** `isAllSent`: the whole form had left the device, so that a lost answer says nothing of the effect. */
export function saveProblem(error: unknown, isAllSent: boolean): SaveProblem {
  const said = error instanceof ApiFailure ? v.safeParse(ValidationDetails, error.details) : null;
  const fields = new Map(
    (said?.success ? said.output.fields : []).flatMap(({ field, message }) => {
      const name = fieldOfWire(field);
      return name === undefined ? [] : [[name, message] as const];
    }),
  );
  if (fields.size > 0) return { fields, form: null };
  const isLost = error instanceof ApiFailure && error.kind === 'unreachable' && isAllSent;
  return { fields, form: isLost ? LOST_ANSWER : failureWords(error) };
}
