import { InputBase } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ChangeEvent } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
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
  const shared = {
    label: 'Ваш ответ',
    value,
    readOnly: locked,
    maxLength,
    // Mantine's fields are described by their own texts only.
    attributes: { input: { 'aria-describedby': describedBy } },
    rightSection: locked && <Icon of={IconLock} />,
    rightSectionWidth: '2.75rem',
    autoComplete: 'off',
    autoCorrect: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    onBlur,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(event.currentTarget.value),
  };
  // Not Mantine's `Textarea`, whose other way of growing would be loaded with the first question.
  if (input === 'text')
    return <InputBase {...shared} component="textarea" multiline rows={5} classNames={SECTION} />;
  return (
    <InputBase
      {...shared}
      type="text"
      inputMode={input === 'number' ? 'decimal' : 'text'}
      enterKeyHint="next"
      classNames={LINE}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter?.();
      }}
    />
  );
}

const SECTION = { section: classes.lock ?? '' };
const LINE = { wrapper: classes.line ?? '' };
