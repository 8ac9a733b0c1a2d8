import { useId } from 'react';
import { FieldGroup, type FieldWords } from './FieldFrame.tsx';
import classes from './FieldFrame.module.css';

/** Hours and minutes as they are typed. */
export interface HoursMinutes {
  hours: string;
  minutes: string;
}

export interface DurationFieldProps extends FieldWords {
  name: string;
  value: HoursMinutes;
  onChange: (value: HoursMinutes) => void;
  onBlur?: () => void;
}

/** How long something takes, in hours and minutes. */
export function DurationField({
  label,
  description,
  error,
  name,
  value,
  onChange,
  onBlur,
}: DurationFieldProps) {
  const id = useId();
  const part = (key: keyof HoursMinutes, word: string, maxLength: number) => (
    <div className={classes.unit}>
      <input
        id={`${id}-${key}`}
        name={key === 'hours' ? name : undefined}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        maxLength={maxLength}
        value={value[key]}
        className={classes.input}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onChange({ ...value, [key]: event.currentTarget.value })}
        onBlur={onBlur}
      />
      <label htmlFor={`${id}-${key}`}>{word}</label>
    </div>
  );
  return (
    <FieldGroup label={label} description={description} error={error}>
      <div className={classes.units}>
        {part('hours', 'ч', 4)}
        {part('minutes', 'мин', 4)}
      </div>
    </FieldGroup>
  );
}
