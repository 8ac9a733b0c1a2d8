import { useId, type FocusEventHandler, type Ref } from 'react';
import { cx } from '#app/ui/cx.ts';
import { FieldError } from './FieldError.tsx';
import classes from './SwitchField.module.css';

export interface SwitchFieldProps {
  label: string;
  description?: string | undefined;
  name?: string | undefined;
  value: boolean;
  onChange: (value: boolean) => void;
  onBlur?: FocusEventHandler<HTMLInputElement>;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** Yes or no; the whole row is its label. The system's own box, as in every list of boxes of the app. */
export function SwitchField({
  label,
  description,
  value,
  onChange,
  error,
  ...field
}: SwitchFieldProps) {
  const id = useId();
  const notes = cx(description && `${id}-description`, error && `${id}-error`);
  return (
    <div>
      <label className={classes.switch}>
        <input
          {...field}
          type="checkbox"
          checked={value}
          aria-labelledby={`${id}-label`}
          aria-describedby={notes || undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>
          <span id={`${id}-label`} className={classes.label}>
            {label}
          </span>
          {description && (
            <span id={`${id}-description`} className={classes.description}>
              {description}
            </span>
          )}
        </span>
      </label>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
