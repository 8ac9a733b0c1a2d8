import { useMergedRef } from '@mantine/hooks';
import { useRef } from 'react';
import { SignKey } from './SignKey.tsx';
import { TextField, type TextFieldProps } from './TextField.tsx';

/** A line for a number of either sign. */
export function SignedField({ ref, ...input }: TextFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <TextField
      {...input}
      ref={useMergedRef(ref, field)}
      autoComplete="off"
      spellCheck={false}
      rightSectionWidth="2.75rem"
      rightSectionPointerEvents="all"
      rightSection={<SignKey of={field} />}
    />
  );
}
