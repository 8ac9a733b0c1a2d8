import { IconAlertCircle } from '@tabler/icons-react';
import classes from './FieldError.module.css';

export interface FieldErrorProps {
  /** For `aria-describedby` of the field. */
  id?: string;
  children?: string | undefined;
}

/** The error of a field of our own; Mantine's fields show theirs in the same way by `error`. */
export function FieldError({ id, children }: FieldErrorProps) {
  if (!children) return null;
  return (
    <p id={id} className={classes.error}>
      <IconAlertCircle size={16} stroke={2} aria-hidden />
      <span>{children}</span>
    </p>
  );
}
