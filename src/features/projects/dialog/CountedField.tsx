import { Textarea, type TextareaProps } from '@mantine/core';
import { TextField, type TextFieldProps } from '#app/ui/forms/TextField.tsx';
import classes from './ProjectForm.module.css';

/** Characters at most. */
interface Counted {
  most: number;
}

function Counter({ value, most }: Counted & { value: TextFieldProps['value'] }) {
  const count = String(value).trim().length;
  return (
    <p className={classes.counter} data-over={count > most || undefined} aria-hidden>
      {count} из {most}
    </p>
  );
}

/** A line of text that counts its characters. */
export function CountedField({ most, ...input }: TextFieldProps & Counted) {
  return (
    <div className={classes.counted}>
      <TextField {...input} />
      <Counter value={input.value} most={most} />
    </div>
  );
}

/** Several lines of text that count their characters. */
export function CountedArea({ most, ...input }: TextareaProps & Counted) {
  return (
    <div className={classes.counted}>
      <Textarea {...input} />
      <Counter value={input.value} most={most} />
    </div>
  );
}
