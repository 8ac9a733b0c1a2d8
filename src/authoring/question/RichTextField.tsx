import { IconBold, IconItalic, IconList, IconMathFunction, IconPhoto } from '@tabler/icons-react';
import { useId, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import type { IconType } from '#app/ui/icon-type.ts';
import classes from './RichTextField.module.css';
import { useRichText, type RichCommand } from './use-rich-text.tsx';
import { useSteadyCaret } from './use-steady-caret.ts';

export interface RichTextFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** Empty: none. */
  readonly error: string;
  /** Less room where often nothing is written. */
  readonly low?: boolean;
  readonly onChange: (value: string) => void;
  /** Takes pictures that were dropped beside the field. */
  readonly pictures?: Ref<AddPictures>;
}

export type AddPictures = (files: readonly File[]) => void;

const TOOLS: readonly { command: RichCommand; label: string; keys?: string; icon: IconType }[] = [
  { command: 'bold', label: 'Полужирный', keys: 'Ctrl+B', icon: IconBold },
  { command: 'italic', label: 'Курсив', keys: 'Ctrl+I', icon: IconItalic },
  { command: 'list', label: 'Список', icon: IconList },
  { command: 'formula', label: 'Формула', icon: IconMathFunction },
  { command: 'picture', label: 'Картинка', icon: IconPhoto },
];

function Toolbar({
  label,
  controls,
  onRun,
}: {
  label: string;
  controls: string;
  onRun: (command: RichCommand) => void;
}) {
  const [current, setCurrent] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = TOOLS.length - 1;
    const to: Readonly<Record<string, number>> = {
      ArrowRight: current === last ? 0 : current + 1,
      ArrowLeft: current === 0 ? last : current - 1,
      Home: 0,
      End: last,
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      tabIndex={-1}
      aria-label={`Оформление: ${label}`}
      aria-controls={controls}
      className={classes.toolbar}
      onKeyDown={onKeyDown}
    >
      {TOOLS.map(({ command, label: name, keys, icon: Icon }, index) => (
        <button
          key={command}
          type="button"
          className={classes.tool}
          tabIndex={index === current ? 0 : -1}
          aria-label={name}
          aria-keyshortcuts={keys?.replace('Ctrl', 'Control')}
          title={keys ? `${name} (${keys})` : name}
          // The text keeps its focus and selection.
          onMouseDown={(event) => event.preventDefault()}
          onFocus={() => setCurrent(index)}
          onClick={() => onRun(command)}
        >
          <Icon size={20} stroke={1.75} aria-hidden />
        </button>
      ))}
    </div>
  );
}

/** A text of several lines with Markdown, formulas and pictures, and a toolbar for them. */
export function RichTextField({
  label,
  description,
  value,
  error,
  low = false,
  onChange,
  pictures,
}: RichTextFieldProps) {
  const id = useId();
  const { field, events, overlay, run, addPictures } = useRichText({ multiline: true });
  useImperativeHandle(pictures, () => addPictures);
  const typed = useSteadyCaret(field, value);
  const notes = [description && `${id}-description`, error && `${id}-error`].filter(Boolean);
  return (
    <div>
      <div className={classes.head}>
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
        <Toolbar label={label} controls={id} onRun={run} />
      </div>
      {description && (
        <p id={`${id}-description`} className={classes.description}>
          {description}
        </p>
      )}
      <textarea
        ref={field}
        id={id}
        className={classes.text}
        rows={low ? 2 : 4}
        value={value}
        maxLength={ANSWER_TEXT_CHARACTERS}
        data-low={low || undefined}
        aria-invalid={error !== '' || undefined}
        aria-describedby={notes.join(' ') || undefined}
        onChange={(event) => {
          typed(event.currentTarget.value);
          onChange(event.currentTarget.value);
        }}
        {...events}
      />
      <FieldError id={`${id}-error`}>{error}</FieldError>
      {overlay}
    </div>
  );
}
