import { focus, setError, useForm, valiForm, type FormStore } from '@modular-forms/react';
import { useState } from 'react';
import { parse, type GenericSchema } from 'valibot';
import { signInProblem } from './sign-in-problem.ts';

type Texts = Record<string, string>;

/** A form that is checked on leaving a field and on sending, and says a refusal where it belongs. */
export function useAuthForm<Values extends Texts>(
  schema: GenericSchema<unknown, Values>,
  initialValues: Values,
  send: (values: Values) => Promise<void>,
) {
  const [problem, setProblem] = useState<string | null>(null);
  const [form, { Form, Field }] = useForm<Texts>({
    initialValues,
    validate: valiForm<Texts>(schema),
    validateOn: 'blur',
    revalidateOn: 'change',
  });
  const submit = async (values: Texts) => {
    setProblem(null);
    try {
      await send(parse(schema, values));
    } catch (error) {
      showProblem(form, error, Object.keys(initialValues), setProblem);
    }
  };
  return { form, Form, Field, problem, submit };
}

function showProblem(
  form: FormStore<Texts>,
  error: unknown,
  names: readonly string[],
  setProblem: (words: string | null) => void,
): void {
  const problem = signInProblem(error, names);
  setProblem(problem.form);
  const wrong = names.filter((name) => problem.fields.has(name));
  for (const name of wrong) {
    setError(form, name, problem.fields.get(name) ?? '', { shouldFocus: false });
  }
  const first = wrong[0];
  if (first !== undefined) focus(form, first);
}
