import { useId, type ReactNode } from 'react';
import { cx } from '#app/ui/cx.ts';
import { FieldError } from './FieldError.tsx';
import classes from './fields.module.css';

export interface FieldGroupProps {
  label: string;
  description?: string | undefined;
  /** Empty or absent: none. */
  error?: string | undefined;
  children: ReactNode;
}

/** Several controls under one name. */
export function FieldGroup({ label, description, error, children }: FieldGroupProps) {
  const id = useId();
  const notes = cx(description && `${id}-description`, error && `${id}-error`);
  return (
    <fieldset aria-describedby={notes || undefined}>
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
