import { useId, type ReactNode } from 'react';
import { FieldError } from './FieldError.tsx';
import classes from './FieldFrame.module.css';

export interface FieldWords {
  label: string;
  description?: string | undefined;
  /** Empty or absent: none. */
  error?: string | undefined;
}

/** What the control of a field carries so that its label, help and error belong to it. */
export interface FieldParts {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export interface FieldFrameProps extends FieldWords {
  /** Draws the control. */
  children: (parts: FieldParts) => ReactNode;
}

/** A field of a form: label above, help under it, the control, the error below. */
export function FieldFrame({ label, description, error, children }: FieldFrameProps) {
  const id = useId();
  const notes = [description && `${id}-description`, error && `${id}-error`].filter(Boolean);
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      {description && (
        <p id={`${id}-description`} className={classes.description}>
          {description}
        </p>
      )}
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': notes.join(' ') || undefined,
      })}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

/** Several controls under one name. */
export function FieldGroup({
  label,
  description,
  error,
  children,
}: FieldWords & { children: ReactNode }) {
  const id = useId();
  const notes = [description && `${id}-description`, error && `${id}-error`].filter(Boolean);
  return (
    <fieldset aria-describedby={notes.join(' ') || undefined}>
      <legend className={classes.label}>{label}</legend>
      {description && (
        <p id={`${id}-description`} className={classes.description}>
          {description}
        </p>
      )}
      {children}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
