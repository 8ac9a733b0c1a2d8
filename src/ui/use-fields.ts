import { useRef, useState } from 'react';
import * as v from 'valibot';

/** What a text field of a form takes; spread it into `TextField`. */
export interface FieldProps {
  name: string;
  value: string;
  error: string;
  ref: (input: HTMLInputElement | null) => void;
  onChange: (event: { target: { value: string } }) => void;
  onBlur: () => void;
}

export interface Fields<Name extends string, Output> {
  values: Readonly<Record<Name, string>>;
  field: (name: Name) => FieldProps;
  /** The values as the schema gives them; null: something is wrong, is said, and the first such field has the focus. */
  check: () => Output | null;
  /** Says what the server found wrong; whether any of it belongs to a field of this form. */
  show: (problems: ReadonlyMap<string, string>) => boolean;
  reset: (values: Readonly<Record<Name, string>>) => void;
}

type Problems = ReadonlyMap<string, string>;

function problemsOf(schema: v.GenericSchema, values: unknown): Problems {
  const parsed = v.safeParse(schema, values);
  const issues = parsed.success ? [] : [...parsed.issues].reverse();
  // Of several faults of one field the first is said.
  return new Map(issues.map((issue) => [String(issue.path?.[0]?.key), issue.message]));
}

/** A form of texts: a field is checked when it is left and on sending, and anew while it is mended. */
export function useFields<Name extends string, Output>(
  schema: v.GenericSchema<unknown, Output>,
  initial: Readonly<Record<Name, string>>,
): Fields<Name, Output> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Problems>(new Map());
  const inputs = useRef(new Map<string, HTMLInputElement>());
  const names = Object.keys(initial);

  const judge = (name: string, all: Readonly<Record<string, string>>) => {
    const problem = problemsOf(schema, all).get(name);
    setErrors((before) => {
      const next = new Map(before);
      if (problem === undefined) next.delete(name);
      else next.set(name, problem);
      return next;
    });
  };
  const show = (problems: Problems): boolean => {
    setErrors(problems);
    const first = names.find((name) => problems.has(name));
    if (first === undefined) return false;
    inputs.current.get(first)?.focus();
    return true;
  };

  return {
    values,
    field: (name) => ({
      name,
      value: values[name],
      error: errors.get(name) ?? '',
      ref: (input) => {
        if (input) inputs.current.set(name, input);
        else inputs.current.delete(name);
      },
      onChange: ({ target }) => {
        const next = { ...values, [name]: target.value };
        setValues(next);
        if (errors.has(name)) judge(name, next);
      },
      onBlur: () => {
        // Passing through an empty field is no mistake yet.
        if (values[name] !== '') judge(name, values);
      },
    }),
    check: () => {
      const parsed = v.safeParse(schema, values);
      if (parsed.success) {
        setErrors(new Map());
        return parsed.output;
      }
      show(problemsOf(schema, values));
      return null;
    },
    show,
    reset: (next) => {
      setValues(next);
      setErrors(new Map());
    },
  };
}
