import { Button } from '@mantine/core';
import { cx } from './cx.ts';
import { FieldError } from './FieldError.tsx';
import classes from './FormFoot.module.css';

export interface FormFootProps {
  label: string;
  isSending: boolean;
  /** Why the last try failed, in words. */
  problem: string | null;
  /** What the last try has done, in words. */
  done?: string | null;
  /** As in a sheet; else the button is as wide as its words where there is room. */
  fullWidth?: boolean;
}

/** The one button of a form, and what came of it. */
export function FormFoot({
  label,
  isSending,
  problem,
  done = null,
  fullWidth = false,
}: FormFootProps) {
  return (
    <div className={classes.foot}>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Button
        type="submit"
        className={cx(!fullWidth && classes.send)}
        loading={isSending}
        // Leaving a field may show its error, which moves the button away under the finger.
        onMouseDown={(event) => event.preventDefault()}
      >
        {label}
      </Button>
      <p role="status">{done}</p>
    </div>
  );
}
