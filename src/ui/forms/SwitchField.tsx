import { useId } from 'react';
import classes from './SwitchField.module.css';

export interface SwitchFieldProps {
  label: string;
  description?: string | undefined;
  name?: string | undefined;
  value: boolean;
  onChange: (value: boolean) => void;
}

/** Yes or no; the whole row is its label. The system's own box, as in every list of boxes of the app. */
export function SwitchField({ label, description, name, value, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <label className={classes.switch}>
      <input
        type="checkbox"
        name={name}
        checked={value}
        aria-labelledby={`${id}-label`}
        aria-describedby={description ? `${id}-description` : undefined}
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
  );
}
