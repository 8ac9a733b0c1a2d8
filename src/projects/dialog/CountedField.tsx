import type { FieldElementProps } from '@modular-forms/react';
import type { ReadonlySignal } from '@preact/signals-react';
import { TextAreaField } from '#app/ui/TextAreaField.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import { useSignalValue } from '#app/ui/use-signal-value.ts';
import type { ProjectValues } from './form-values.ts';
import classes from './ProjectForm.module.css';

type TextName = 'name' | 'shortDescription' | 'description' | 'landingURL';

interface CountedFieldProps extends FieldElementProps<ProjectValues, TextName> {
  field: { value: ReadonlySignal<string | undefined>; error: ReadonlySignal<string> };
  label: string;
  description?: string;
  /** Characters; absent: not counted. */
  most?: number;
}

function Counter({ text, most }: { text: string; most: number | undefined }) {
  if (most === undefined) return null;
  const count = text.trim().length;
  return (
    <p className={classes.counter} data-over={count > most || undefined} aria-hidden>
      {count} из {most}
    </p>
  );
}

/** A line of text that counts its characters. */
export function CountedField({
  field,
  most,
  isRequired = true,
  inputMode,
  ...input
}: CountedFieldProps & { isRequired?: boolean; inputMode?: 'url' }) {
  const value = useSignalValue(field.value) ?? '';
  return (
    <div className={classes.counted}>
      <TextField
        {...input}
        type="text"
        inputMode={inputMode}
        value={value}
        error={useSignalValue(field.error)}
        autoComplete="off"
        aria-required={isRequired}
      />
      <Counter text={value} most={most} />
    </div>
  );
}

/** Several lines of text that count their characters. */
export function CountedArea({ field, most, ...input }: CountedFieldProps & { rows: number }) {
  const value = useSignalValue(field.value) ?? '';
  return (
    <div className={classes.counted}>
      <TextAreaField {...input} value={value} error={useSignalValue(field.error)} aria-required />
      <Counter text={value} most={most} />
    </div>
  );
}
