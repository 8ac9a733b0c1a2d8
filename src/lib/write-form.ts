import {
  insert,
  remove,
  setError,
  setResponse,
  setValue,
  type FieldValues,
  type FormStore,
} from '@modular-forms/react';
import { namesOf, type Texts } from './use-app-form.ts';

type Lists = Record<string, Record<string, string>[]>;
const SILENT = { shouldTouched: false, shouldValidate: false, shouldFocus: false } as const;

/** Replaces the items of a list. */
export function writeList<Values extends FieldValues>(
  form: FormStore<Values>,
  name: keyof Values & string,
  items: readonly Record<string, string>[],
): void {
  const store = form as unknown as FormStore<Lists>;
  const { length } = store.internal.fieldArrays[name]?.items.peek() ?? [];
  for (let at = length - 1; at >= 0; at -= 1) remove(store, name, { at });
  for (const value of items) insert(store, name, { value });
}

/** Replaces some values of a form, and clears its messages. */
export function writeForm<Values extends FieldValues>(
  form: FormStore<Values>,
  values: Partial<Values>,
): void {
  const store = form as unknown as FormStore<Texts>;
  for (const [name, value] of Object.entries(values)) {
    if (name in store.internal.fieldArrays) writeList(form, name, value as never);
    else setValue(store, name, value as never, SILENT);
  }
  for (const name of namesOf(store)) setError(store, name, '', { shouldActive: false });
  setResponse(store, {});
}
