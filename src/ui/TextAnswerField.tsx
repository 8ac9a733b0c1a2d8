import { IconLock } from '@tabler/icons-react';
import { useId } from 'react';
import classes from './TextAnswerField.module.css';

export interface TextAnswerFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** One line, one line with digits, or several lines. */
  input: 'line' | 'number' | 'text';
  /** Id of the question's text. */
  describedBy: string;
  locked?: boolean;
  maxLength?: number | undefined;
  onBlur?: () => void;
  /** Enter in one line. */
  onEnter?: () => void;
}

/** The student's own words or number. Nothing corrects the spelling: it may be what is asked. */
export function TextAnswerField({
  value,
  onChange,
  input,
  describedBy,
  locked = false,
  maxLength,
  onBlur,
  onEnter,
}: TextAnswerFieldProps) {
  const id = useId();
  const shared = {
    id,
    value,
    readOnly: locked,
    maxLength,
    'aria-describedby': describedBy,
    autoComplete: 'off',
    autoCorrect: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    onBlur,
  };
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.label}>
        Ваш ответ
      </label>
      <div className={classes.box} data-line={input !== 'text' || undefined}>
        {input === 'text' ? (
          <textarea
            {...shared}
            rows={5}
            className={classes.input}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          <input
            {...shared}
            type="text"
            inputMode={input === 'number' ? 'decimal' : 'text'}
            enterKeyHint="next"
            className={classes.input}
            onChange={(event) => onChange(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter?.();
            }}
          />
        )}
        {locked && (
          <span className={classes.lock}>
            <IconLock size={20} stroke={1.75} aria-hidden />
          </span>
        )}
      </div>
    </div>
  );
}
