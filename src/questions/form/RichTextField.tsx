import { ActionIcon, Box, Group } from '@mantine/core';
import { LimitedTextarea } from '#app/ui/forms/LimitedField.tsx';
import {
  IconBold,
  IconItalic,
  IconList,
  IconMathFunction,
  IconPhoto,
  IconVolume,
} from '@tabler/icons-react';
import { useMergedRef } from '@mantine/hooks';
import {
  useContext,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type FocusEventHandler,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import classes from './RichTextField.module.css';
import type { Selection } from './text-edit.ts';
import { useRichText, type RichCommand } from './use-rich-text.tsx';
import { useSteadyCaret } from './use-steady-caret.ts';

export interface RichTextFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** Empty: none. */
  readonly error: string;
  /** A smaller field for texts that are often empty. */
  readonly low?: boolean;
  readonly onChange: (value: string) => void;
  readonly onBlur?: FocusEventHandler<HTMLElement>;
  readonly ref?: Ref<HTMLTextAreaElement>;
  readonly handle?: Ref<RichTextHandle>;
}

const TEXT = { input: classes.text ?? '' };

/** The interface of the field for the form around it. */
export interface RichTextHandle {
  /** Pictures dropped beside the field. */
  readonly addPictures: (files: readonly File[]) => void;
  readonly selection: () => Selection;
}

const TOOLS: readonly { command: RichCommand; label: string; keys?: string; icon: IconType }[] = [
  { command: 'bold', label: 'Полужирный', keys: 'Ctrl+B', icon: IconBold },
  { command: 'italic', label: 'Курсив', keys: 'Ctrl+I', icon: IconItalic },
  { command: 'list', label: 'Список', icon: IconList },
  { command: 'formula', label: 'Формула', icon: IconMathFunction },
  { command: 'picture', label: 'Картинка', icon: IconPhoto },
  { command: 'recording', label: 'Запись', icon: IconVolume },
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
    <Group
      ref={bar}
      role="toolbar"
      tabIndex={-1}
      aria-label={`Оформление: ${label}`}
      aria-controls={controls}
      gap={0}
      align="stretch"
      me={-8}
      onKeyDown={onKeyDown}
    >
      {TOOLS.map(({ command, label: name, keys, icon }, index) => (
        <ActionIcon
          key={command}
          className="focus-inside"
          w="max(2.5rem, var(--app-icon-button))"
          color="var(--app-text)"
          tabIndex={index === current ? 0 : -1}
          aria-label={name}
          aria-keyshortcuts={keys?.replace('Ctrl', 'Control')}
          title={keys ? `${name} (${keys})` : name}
          // Leaves focus and selection in the text.
          onMouseDown={(event) => event.preventDefault()}
          onFocus={() => setCurrent(index)}
          onClick={() => onRun(command)}
        >
          <Icon of={icon} />
        </ActionIcon>
      ))}
    </Group>
  );
}

/** A multi-line Markdown field with formulas, pictures, recordings and a toolbar. */
export function RichTextField({
  label,
  description,
  value,
  error,
  low = false,
  onChange,
  onBlur,
  ref,
  handle,
}: RichTextFieldProps) {
  const id = useId();
  const { field, events, overlay, run, addPictures, selection } = useRichText({ multiline: true });
  useImperativeHandle(handle, () => ({ addPictures, selection }));
  const typed = useSteadyCaret(field, value);
  const typedField = useMergedRef(field, ref);
  return (
    <div onBlur={onBlur}>
      <Group gap="0 0.5rem" justify="space-between" mb={4}>
        <Box htmlFor={id} component="label" lh={1.4} fw={500}>
          {label}
        </Box>
        <Toolbar label={label} controls={id} onRun={run} />
      </Group>
      <LimitedTextarea
        ref={typedField}
        lang={useContext(ContentLanguage)}
        id={id}
        description={description}
        error={error}
        classNames={TEXT}
        rows={low ? 2 : 4}
        value={value}
        maxLength={ANSWER_TEXT_CHARACTERS}
        onChange={(text) => {
          typed(text);
          onChange(text);
        }}
        {...events}
      />
      {overlay}
    </div>
  );
}
