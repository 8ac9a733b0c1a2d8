import { InputBase } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useContext, useRef, useState } from 'react';
import { withoutInvisible } from '#domain/format-typed.ts';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { LimitNote } from '#app/ui/forms/LimitNote.tsx';
import { useTextLimit } from '#app/ui/forms/use-text-limit.ts';
import { NumberKeys, type Keyboard } from './NumberKeys.tsx';
import numberKeys from './NumberKeys.module.css';
import { isPlainEnter } from './plain-enter.ts';

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

/** The student's own text or number. Nothing corrects the spelling: the question may be about spelling. */
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
  const field = useRef<HTMLInputElement>(null);
  const [keyboard, setKeyboard] = useState<Keyboard>('decimal');
  const typing = useTextLimit(
    value,
    maxLength,
    onChange,
    // A teacher grades the text as written.
    input === 'text' ? undefined : withoutInvisible,
  );
  const shared = {
    lang: useContext(ContentLanguage),
    label: 'Ваш ответ',
    readOnly: locked,
    // Mantine's fields are described only by their own texts.
    attributes: { input: { 'aria-describedby': describedBy } },
    rightSection: locked && <Icon of={IconLock} />,
    rightSectionWidth: '2.75rem',
    autoComplete: 'off',
    autoCorrect: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    onBlur,
    ...typing.field,
  };
  const note = maxLength !== undefined && <LimitNote limit={typing.limit} />;
  // Not Mantine's `Textarea`: its own autosize would be loaded with the first question.
  if (input === 'text')
    return (
      <div>
        <InputBase {...shared} component="textarea" multiline rows={5} styles={SECTION} />
        {note}
      </div>
    );
  const isNumber = input === 'number';
  return (
    <div>
      <InputBase
        {...shared}
        ref={field}
        type="text"
        inputMode={isNumber ? keyboard : 'text'}
        enterKeyHint="next"
        className={isNumber ? numberKeys.field : undefined}
        styles={LINE}
        {...(isNumber &&
          !locked && {
            rightSectionWidth: 'var(--number-keys)',
            rightSectionPointerEvents: 'all' as const,
            rightSection: <NumberKeys of={field} keyboard={keyboard} onKeyboard={setKeyboard} />,
          })}
        onKeyDown={(event) => {
          if (isPlainEnter(event)) onEnter?.();
        }}
      />
      {note}
    </div>
  );
}

const SECTION = { section: { height: 'var(--app-input)' } };
const LINE = { wrapper: { maxWidth: '30rem' } };
