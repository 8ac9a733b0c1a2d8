import { TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Input.layer.css';

export interface CodeFieldProps extends Omit<
  TextInputProps,
  'error' | 'autoComplete' | 'inputMode'
> {
  label: string;
  /** Empty: none. */
  error: string;
  /** `digits`: of an authenticator app, which phones offer by themselves; `signs`: of a recovery code. */
  kind: 'digits' | 'signs';
}

/** A code that is typed off another screen or off paper. */
export function CodeField({ kind, error, ...input }: CodeFieldProps) {
  const isDigits = kind === 'digits';
  return (
    <TextInput
      {...input}
      type="text"
      error={error === '' ? false : error}
      autoComplete={isDigits ? 'one-time-code' : 'off'}
      inputMode={isDigits ? 'numeric' : 'text'}
      autoCapitalize={isDigits ? 'none' : 'characters'}
      spellCheck={false}
    />
  );
}
