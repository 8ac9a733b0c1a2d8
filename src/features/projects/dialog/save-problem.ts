import { ApiFailure } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { fieldProblems } from '#app/lib/field-problems.ts';
import { fieldOfWire, type ProjectValues } from './form-values.ts';

/** Messages of a failed save by place. */
export interface SaveProblem {
  fields: ReadonlyMap<keyof ProjectValues, string>;
  /** Message of the form; null if the field messages suffice. */
  form: string | null;
}

const LOST_ANSWER =
  'Ответ сервера не пришёл, и проект мог сохраниться. Посмотрите список проектов, прежде чем повторять: всё введённое остаётся здесь.';

/** `isAllSent`: the request was fully sent, so that the effect of a lost reply is unknown. */
export function saveProblem(error: unknown, isAllSent: boolean): SaveProblem {
  const fields = new Map(
    [...fieldProblems(error)].flatMap(([field, message]) => {
      const name = fieldOfWire(field);
      return name === undefined ? [] : [[name, message] as const];
    }),
  );
  if (fields.size > 0) return { fields, form: null };
  const isLost = error instanceof ApiFailure && error.kind === 'unreachable' && isAllSent;
  return { fields, form: isLost ? LOST_ANSWER : describeFailure(error) };
}
