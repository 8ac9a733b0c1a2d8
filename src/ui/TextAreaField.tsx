import type { ComponentPropsWithRef } from 'react';
import { FieldFrame, type FieldWords } from './FieldFrame.tsx';
import classes from './FieldFrame.module.css';

export interface TextAreaFieldProps
  extends FieldWords, Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'className' | 'children'> {}

/** Several lines of text. */
export function TextAreaField({ label, description, error, ...rest }: TextAreaFieldProps) {
  return (
    <FieldFrame label={label} description={description} error={error}>
      {(parts) => <textarea {...rest} {...parts} className={classes.input} />}
    </FieldFrame>
  );
}
