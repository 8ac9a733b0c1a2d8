import { Button } from '@mantine/core';
import { FieldError } from '#app/ui/FieldError.tsx';
import classes from './Profile.module.css';

export interface SendRowProps {
  label: string;
  isSending: boolean;
  /** Why the last try failed, in words. */
  problem: string | null;
  /** What the last try has done, in words. */
  done: string | null;
}

/** The one button of a form, and what came of it. */
export function SendRow({ label, isSending, problem, done }: SendRowProps) {
  return (
    <div className={classes.foot}>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Button
        type="submit"
        className={classes.send ?? ''}
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
