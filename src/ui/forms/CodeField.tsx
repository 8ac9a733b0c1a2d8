import { TextInput, type TextInputProps } from '@mantine/core';

export interface CodeFieldProps extends Omit<TextInputProps, 'autoComplete' | 'inputMode'> {
  /** `digits`: of an authenticator app, which phones offer by themselves; `signs`: of a recovery code. */
  kind: 'digits' | 'signs';
}

/** A code that is typed off another screen or off paper. */
export function CodeField({ kind, ...input }: CodeFieldProps) {
  const isDigits = kind === 'digits';
  return (
    <TextInput
      {...input}
      type="text"
      autoComplete={isDigits ? 'one-time-code' : 'off'}
      inputMode={isDigits ? 'numeric' : 'text'}
      autoCapitalize={isDigits ? 'none' : 'characters'}
      spellCheck={false}
    />
  );
}
