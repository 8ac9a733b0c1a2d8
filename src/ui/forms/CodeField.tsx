import { TextInput, type TextInputProps } from '@mantine/core';

export interface CodeFieldProps extends Omit<TextInputProps, 'autoComplete' | 'inputMode'> {
  /** `digits`: from an authenticator app, offered by phones themselves; `signs`: a recovery code. */
  kind: 'digits' | 'signs';
}

/** A code that a person copies from another screen or from paper. */
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
