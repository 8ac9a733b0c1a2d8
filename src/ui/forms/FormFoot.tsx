import { Box, Button, Stack } from '@mantine/core';
import type { FieldValues, FormStore } from '@modular-forms/react';
import type { MouseEvent } from 'react';
import { FieldError } from './FieldError.tsx';
import { useSignalValue } from './use-signal-value.ts';

export interface FormFootProps<Values extends FieldValues> {
  of: { store: FormStore<Values> };
  label: string;
  /** Full width, as in a modal; otherwise as wide as its label if there is space. */
  fullWidth?: boolean;
  /** For irreversible actions: «Оставить» is filled, focused and comes first. */
  onKeep?: () => void;
}

/** For a form's button. Leaving a field may show its error, which would move the button from under the finger. */
export const keepFocus = (event: MouseEvent) => event.preventDefault();

/** The form's one button, and the result of the last submit. */
export function FormFoot<Values extends FieldValues>({
  of: { store },
  label,
  fullWidth = false,
  onKeep,
}: FormFootProps<Values>) {
  const isSending = useSignalValue(store.submitting);
  const { status, message } = useSignalValue(store.response);
  const problem = status === 'error' ? message : undefined;
  const success = status === 'success' && message;
  return (
    <Stack gap={0}>
      <Box role="alert" mb={problem ? 'md' : 0}>
        <FieldError>{problem}</FieldError>
      </Box>
      {onKeep && (
        <Button data-autofocus mb="md" onMouseDown={keepFocus} onClick={onKeep}>
          Оставить
        </Button>
      )}
      <Button
        type="submit"
        variant={onKeep ? 'default' : 'filled'}
        w={fullWidth ? undefined : { xs: 'fit-content' }}
        loading={isSending}
        onMouseDown={keepFocus}
      >
        {label}
      </Button>
      <Box component="p" role="status" mt={success ? 'sm' : 0}>
        {success}
      </Box>
    </Stack>
  );
}
