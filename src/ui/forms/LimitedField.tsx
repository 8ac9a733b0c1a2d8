import { Textarea, type TextareaProps } from '@mantine/core';
import { LimitNote } from './LimitNote.tsx';
import { TextField, type TextFieldProps } from './TextField.tsx';
import { useTextLimit } from './use-text-limit.ts';

interface Limited {
  value: string;
  maxLength: number;
  onChange: (value: string) => void;
}

/** A text line that shows what part of a long paste did not fit. */
export function LimitedTextField({
  value,
  maxLength,
  onChange,
  ...field
}: Limited & Omit<TextFieldProps, keyof Limited>) {
  const typing = useTextLimit(value, maxLength, onChange);
  return (
    <div>
      <TextField {...field} {...typing.field} />
      <LimitNote limit={typing.limit} />
    </div>
  );
}

/** The same for several lines. */
export function LimitedTextarea({
  value,
  maxLength,
  onChange,
  ...field
}: Limited & Omit<TextareaProps, keyof Limited>) {
  const typing = useTextLimit(value, maxLength, onChange);
  return (
    <div>
      <Textarea {...field} {...typing.field} />
      <LimitNote limit={typing.limit} />
    </div>
  );
}
