import {
  focus,
  FormError,
  getValues,
  setError,
  setResponse,
  useFormStore,
  type FieldValues,
  type FormErrors,
  type FormStore,
  type PartialValues,
} from '@modular-forms/react';
import { effect } from '@preact/signals-react';
import { useEffect, useEffectEvent } from 'react';
import * as v from 'valibot';
import { describeFailure } from './failure-messages.ts';
import { fieldProblems, type FieldCodes } from './field-problems.ts';

export interface AppFormOptions<Values, Output> {
  schema: v.GenericSchema<unknown, Output>;
  initialValues: Values;
  /** Rejects with `ApiFailure`, or with `FormError` if it has the messages itself; may return a success message. */
  send: (values: Output) => Promise<string | void> | void;
  /** Receives the input, at first and after each change. */
  onValues?: (values: Values) => void;
  codes?: FieldCodes;
  /** Message under the form for a failure that belongs to no field. */
  toMessage?: (error: unknown) => string;
}

/** The field that a path belongs to: itself, the one whole value that it is within, or its last part. */
const fieldOf = (path: string, names: readonly string[]): string | undefined =>
  names.find((name) => name === path) ??
  names.find((name) => path.startsWith(`${name}.`)) ??
  names.find((name) => name === path.split('.').at(-1));

/** The first problem of each field; within a value that is one field it belongs to that field. */
function problemsOf<Values extends FieldValues>(
  schema: v.GenericSchema,
  values: unknown,
  names: readonly string[],
): FormErrors<Values> {
  const { issues = [] } = v.safeParse(schema, values);
  const problems = issues.map((issue) => {
    const path = v.getDotPath(issue) ?? '';
    return [fieldOf(path, names) ?? path.split('.')[0] ?? '', issue.message] as const;
  });
  return Object.fromEntries(problems.reverse()) as FormErrors<Values>;
}

/** What is typed, also into fields that are hidden now. The library remembers items that were removed from a list. */
function readValues<Values extends FieldValues>(store: FormStore<Values>): Values {
  const values = getValues(store, { shouldActive: false });
  const lists = store.internal.fieldArrayNames.value.map((name) => {
    const items = (values[name] ?? []) as readonly unknown[];
    return [name, items.slice(0, store.internal.fieldArrays[name]?.items.value.length)];
  });
  return { ...values, ...Object.fromEntries(lists) } as Values;
}

/** Values of any form, since the library's types do not know the names of its fields. */
export type Texts = Record<string, string>;

/** Fields in the order of the page, then the lists. */
export const namesOf = ({ internal }: FormStore<Texts>): string[] => [
  ...internal.fieldNames.peek(),
  ...internal.fieldArrayNames.peek(),
];

/**
 * A form, to be shown by `AppForm`, `FormField` and `FormFoot`. A field is validated when it is left and on submit,
 * and anew while it is corrected; a refusal is shown at its field, else under the form.
 */
export function useAppForm<Values extends FieldValues, Output>({
  schema,
  initialValues,
  send,
  onValues,
  codes,
  toMessage = describeFailure,
}: AppFormOptions<Values, Output>) {
  const store: FormStore<Values> = useFormStore<Values>({
    initialValues: initialValues as PartialValues<Values>,
    validate: (values) => problemsOf(schema, values, store.internal.fieldNames.peek()),
    validateOn: 'blur',
    revalidateOn: 'change',
  });
  const tellValues = useEffectEvent(() => onValues?.(readValues(store)));
  useEffect(
    () =>
      effect(() => {
        readValues(store);
        // Fields register themselves one after another while they are rendered.
        queueMicrotask(() => tellValues());
      }),
    [store],
  );
  const submit = async (values: Values) => {
    try {
      const message = await send(v.parse(schema, values));
      if (message !== undefined) setResponse(store, { status: 'success', message });
    } catch (error) {
      const hasMessages = error instanceof FormError;
      const problems: Record<string, string | undefined> = hasMessages
        ? error.errors
        : Object.fromEntries(fieldProblems(error, codes));
      const loose = store as unknown as FormStore<Texts>;
      const names = namesOf(loose);
      const wrong = new Map<string, string>();
      let elsewhere: string | undefined;
      for (const [path, message] of Object.entries(problems)) {
        const name = message ? fieldOf(path, names) : undefined;
        if (name === undefined) elsewhere ??= message;
        else if (!wrong.has(name)) wrong.set(name, message ?? '');
      }
      for (const [name, message] of wrong) setError(loose, name, message, { shouldFocus: false });
      const first = names.find((name) => wrong.has(name));
      if (first !== undefined) return focus(loose, first);
      const message = hasMessages ? error.message : (elsewhere ?? toMessage(error));
      setResponse(store, { status: 'error', message });
    }
  };
  return {
    store,
    submit,
    /** The present input. */
    read: () => readValues(store),
  };
}
