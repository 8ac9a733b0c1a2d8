import { cx } from './cx.ts';
import { FieldFrame, type FieldWords } from './FieldFrame.tsx';
import classes from './FieldFrame.module.css';

export interface DateTimeFieldProps extends FieldWords {
  name: string;
  /** `YYYY-MM-DDTHH:mm`, or empty. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** A day and a time of day, with the system's own picker; the zone is said in the description. */
export function DateTimeField({
  label,
  description,
  error,
  name,
  value,
  onChange,
  onBlur,
}: DateTimeFieldProps) {
  return (
    <FieldFrame label={label} description={description} error={error}>
      {(parts) => (
        <input
          {...parts}
          name={name}
          type="datetime-local"
          max="2099-12-31T23:59"
          value={value}
          className={cx(classes.input, classes.moment)}
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={onBlur}
        />
      )}
    </FieldFrame>
  );
}
