import { useMergedRef } from '@mantine/hooks';
import { useRef } from 'react';
import { SIGN_SECTION, SignKey } from './SignKey.tsx';
import { TextField, type TextFieldProps } from './TextField.tsx';

/** A text line for a number of either sign. */
export function SignedField({ ref, ...input }: TextFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <TextField
      {...input}
      ref={useMergedRef(ref, field)}
      autoComplete="off"
      spellCheck={false}
      {...SIGN_SECTION}
      rightSection={<SignKey of={field} />}
    />
  );
}
