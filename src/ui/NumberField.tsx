import type { ComponentPropsWithRef } from 'react';
import { cx } from './cx.ts';
import { FieldFrame, type FieldWords } from './FieldFrame.tsx';
import classes from './FieldFrame.module.css';

export interface NumberFieldProps
  extends FieldWords, Omit<ComponentPropsWithRef<'input'>, 'id' | 'className' | 'type' | 'value'> {
  /** As it is typed: an unfinished number stays as it is. */
  value: string;
}

/** A whole number, typed with digits; no wheel or arrows change it by accident. */
export function NumberField({ label, description, error, ...rest }: NumberFieldProps) {
  return (
    <FieldFrame label={label} description={description} error={error}>
      {(parts) => (
        <input
          {...rest}
          {...parts}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          className={cx(classes.input, classes.short)}
        />
      )}
    </FieldFrame>
  );
}
