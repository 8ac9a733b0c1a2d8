import { PasswordInput, TextInput } from '@mantine/core';
import type { FieldElementProps } from '@modular-forms/react';
import type { ReadonlySignal } from '@preact/signals-react';
import type { HTMLInputAutoCompleteAttribute } from 'react';
import { useSignalValue } from './use-signal-value.ts';

export interface FormFieldProps {
  field: { value: ReadonlySignal<string | undefined>; error: ReadonlySignal<string> };
  /** What the form needs on the input itself. */
  inputProps: FieldElementProps<Record<string, string>, string>;
  label: string;
  description?: string;
  type: 'text' | 'email' | 'password';
  autoComplete: HTMLInputAutoCompleteAttribute;
}

/** One text field of a form: label above, error below, a toggle that shows a password. */
export function FormField({ field, inputProps, type, ...shown }: FormFieldProps) {
  const value = useSignalValue(field.value) ?? '';
  const error = useSignalValue(field.error);
  const common = {
    ...inputProps,
    ...shown,
    value,
    error: error === '' ? undefined : error,
    required: true,
    spellCheck: false,
    autoCapitalize: 'none',
  };
  return type === 'password' ? (
    <PasswordInput {...common} />
  ) : (
    <TextInput {...common} type={type} />
  );
}
