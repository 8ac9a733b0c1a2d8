import type { FieldElementProps } from '@modular-forms/react';
import type { ReadonlySignal } from '@preact/signals-react';
import type { HTMLInputAutoCompleteAttribute } from 'react';
import { TextField } from '#app/ui/TextField.tsx';
import { useSignalValue } from '#app/ui/use-signal-value.ts';

export interface FormFieldProps {
  field: { value: ReadonlySignal<string | undefined>; error: ReadonlySignal<string> };
  /** What the form needs on the input itself. */
  inputProps: FieldElementProps<Record<string, string>, string>;
  label: string;
  description?: string;
  type: 'text' | 'email' | 'password';
  autoComplete: HTMLInputAutoCompleteAttribute;
}

/** One text field of a form. */
export function FormField({ field, inputProps, ...shown }: FormFieldProps) {
  return (
    <TextField
      {...inputProps}
      {...shown}
      value={useSignalValue(field.value) ?? ''}
      error={useSignalValue(field.error)}
      required
      spellCheck={false}
      autoCapitalize="none"
    />
  );
}
