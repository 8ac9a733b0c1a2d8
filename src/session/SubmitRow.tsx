import { Button } from '@mantine/core';
import { FieldError } from '#app/ui/FieldError.tsx';

export interface SubmitRowProps {
  label: string;
  isSending: boolean;
  /** Why the last try failed, in words. */
  problem: string | null;
}

/** The problem of the whole form and its one button. */
export function SubmitRow({ label, isSending, problem }: SubmitRowProps) {
  return (
    <>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Button
        type="submit"
        fullWidth
        loading={isSending}
        // Leaving a field may show its error, which moves the button away under the finger.
        onMouseDown={(event) => event.preventDefault()}
      >
        {label}
      </Button>
    </>
  );
}
