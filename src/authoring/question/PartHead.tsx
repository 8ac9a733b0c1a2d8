import { useId, type ReactNode } from 'react';
import type { Of } from './parts.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { FieldGroup } from '#app/ui/FieldFrame.tsx';
import classes from './QuestionForm.module.css';

/** The name of a part of the form, what is wrong with it, and a switch at its right. */
export function PartHead({
  id,
  name,
  hint,
  problems,
  aside,
}: {
  id: string;
  name: string;
  hint?: string;
  problems: readonly string[];
  aside?: ReactNode;
}) {
  return (
    <div className={classes.partHead}>
      <div className={classes.partName}>
        <h3 id={id}>{name}</h3>
        {aside}
      </div>
      {hint && <p className={classes.quiet}>{hint}</p>}
      <div role="status">
        {problems.map((problem) => (
          <FieldError key={problem}>{problem}</FieldError>
        ))}
      </div>
    </div>
  );
}

/** On or off, with its word. */
export function Toggle({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className={classes.toggle}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={classes.track} aria-hidden />
      {label}
    </label>
  );
}

const SCORINGS = [
  {
    value: 'partial',
    label: 'Частичный балл',
    words: 'Каждый верный прибавляет свою долю, каждый неверный отнимает; меньше нуля не бывает.',
  },
  {
    value: 'allOrNothing',
    label: 'Всё или ничего',
    words: 'Баллы только за все верные без единого неверного.',
  },
] as const;

/** How several right options become points. */
export function ScoringChoice({
  value,
  onChange,
}: {
  value: Of<'variant'>['scoring'];
  onChange: (value: Of<'variant'>['scoring']) => void;
}) {
  const name = useId();
  return (
    <div className={classes.scoring}>
      <FieldGroup label="Как считать баллы">
        {SCORINGS.map((one) => (
          <label key={one.value} className={classes.radio}>
            <input
              type="radio"
              name={name}
              checked={value === one.value}
              aria-describedby={`${name}-${one.value}`}
              aria-label={one.label}
              onChange={() => onChange(one.value)}
            />
            <span>
              {one.label}
              <span id={`${name}-${one.value}`} className={classes.quiet}>
                {one.words}
              </span>
            </span>
          </label>
        ))}
      </FieldGroup>
    </div>
  );
}
