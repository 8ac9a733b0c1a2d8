import { IconCheck } from '@tabler/icons-react';
import classes from './QuestionForm.module.css';

/** Whether an option is right. */
export function RightMark({
  number,
  multiple,
  checked,
  onChange,
}: {
  /** Of the option, from 1. */
  readonly number: number;
  /** Several options may be right. */
  readonly multiple: boolean;
  readonly checked: boolean;
  readonly onChange: (isRight: boolean) => void;
}) {
  return (
    <label className={classes.mark} data-kind={multiple ? 'square' : 'circle'}>
      <input
        type="checkbox"
        className="hit-area"
        checked={checked}
        aria-label={`Верный: вариант ${number}`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={classes.sign} aria-hidden>
        {checked && <IconCheck size={16} stroke={2.25} />}
      </span>
    </label>
  );
}
