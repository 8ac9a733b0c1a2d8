import { ActionIcon } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useId, useState, type ComponentPropsWithRef } from 'react';
import { FieldError } from './FieldError.tsx';
import classes from './TextField.module.css';

export interface TextFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'id' | 'className'> {
  label: string;
  description?: string | undefined;
  /** Empty: none. */
  error: string;
  type: 'text' | 'email' | 'password';
}

/**
 * A line of text: label above, error below, and a button that shows a password. Drawn here because
 * the library's inputs weigh 5 KB, which a student would load before the first question.
 */
export function TextField({ label, description, error, type, ...input }: TextFieldProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const isPassword = type === 'password';
  const Eye = isShown ? IconEyeOff : IconEye;
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
      <div className={classes.box} data-password={isPassword || undefined}>
        <input
          {...input}
          id={id}
          type={isShown ? 'text' : type}
          className={classes.input}
          aria-invalid={error !== '' || undefined}
          aria-describedby={notes.join(' ') || undefined}
        />
        {isPassword && (
          <ActionIcon
            className={classes.reveal}
            aria-label="Показать пароль"
            aria-pressed={isShown}
            // The field keeps the focus, and the phone its keyboard.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setShown(!isShown)}
          >
            <Eye size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
