import { Button, Stack } from '@mantine/core';
import type { FieldValues, FormStore } from '@modular-forms/react';
import type { MouseEvent } from 'react';
import { cx } from '#app/ui/cx.ts';
import { FieldError } from './FieldError.tsx';
import classes from './FormFoot.module.css';
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
  return (
    <Stack className={classes.foot} gap={0}>
      <div role="alert">{status === 'error' && <FieldError>{message}</FieldError>}</div>
      {onKeep && (
        <Button data-autofocus mb="md" onMouseDown={keepFocus} onClick={onKeep}>
          Оставить
        </Button>
      )}
      <Button
        type="submit"
        variant={onKeep ? 'default' : 'filled'}
        className={cx(!fullWidth && classes.send)}
        loading={isSending}
        onMouseDown={keepFocus}
      >
        {label}
      </Button>
      <p role="status">{status === 'success' && message}</p>
    </Stack>
  );
}
