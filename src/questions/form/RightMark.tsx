import { IconCheck } from '@tabler/icons-react';
import { cx } from '#app/ui/cx.ts';
import parts from '#app/ui/taking/parts.module.css';
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
    <label className={classes.mark}>
      <input
        type="checkbox"
        className="hit-area"
        checked={checked}
        aria-label={`Верный: вариант ${number}`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span
        className={cx(parts.sign, classes.sign)}
        data-kind={multiple ? 'square' : 'circle'}
        aria-hidden
      >
        {checked && <IconCheck size={16} stroke={2.25} />}
      </span>
    </label>
  );
}
