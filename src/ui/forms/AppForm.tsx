import { Stack } from '@mantine/core';
import { Form, type FieldValues, type FormStore } from '@modular-forms/react';
import type { FormHTMLAttributes } from 'react';
import { useReportDirty } from './use-report-dirty.ts';
import { useSignalValue } from './use-signal-value.ts';

export interface AppFormProps<Values extends FieldValues> extends Omit<
  FormHTMLAttributes<HTMLFormElement>,
  'onSubmit'
> {
  of: { store: FormStore<Values>; submit: (values: Values) => Promise<void> };
  /** Reports unsaved input to the modal around the form. */
  onDirty?: (isDirty: boolean) => void;
}

/** A form in one column. */
export function AppForm<Values extends FieldValues>({
  of: { store, submit },
  onDirty,
  children,
  ...shown
}: AppFormProps<Values>) {
  const isDirty = useSignalValue(store.dirty);
  const isSending = useSignalValue(store.submitting);
  useReportDirty(isDirty && !isSending, onDirty);
  return (
    <Form {...shown} of={store} onSubmit={submit}>
      <Stack>{children}</Stack>
    </Form>
  );
}
