import { Box, Input } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useContext, useId } from 'react';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import { RichText as RichTextShown } from '#app/ui/rich-text/RichText.tsx';
import { isPlain } from '#app/ui/rich-text/plain.ts';
import { LimitNote } from '#app/ui/forms/LimitNote.tsx';
import { useTextLimit } from '#app/ui/forms/use-text-limit.ts';
import classes from './RichTextField.module.css';
import type { RichText } from './use-rich-text.tsx';
import { useSteadyCaret } from './use-steady-caret.ts';

export interface LineFieldProps {
  /** Label for screen readers only. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rich: RichText;
  readonly placeholder?: string | undefined;
  readonly isInvalid?: boolean;
  readonly onEnter?: () => void;
  /** Backspace in an empty field. */
  readonly onErase?: () => void;
  /** Several lines pasted into an empty field. */
  readonly onLines?: (lines: readonly string[]) => void;
}

const PREVIEW = { overflowX: 'auto', '--rich-back': 'transparent' } as const;
const LINE = { input: classes.line ?? '' };
const REST_MS = 150;

/** A single-line Markdown field that grows with its text, with the rendering below. */
export function LineField({
  label,
  value,
  onChange,
  rich,
  placeholder,
  isInvalid = false,
  onEnter,
  onErase,
  onLines,
}: LineFieldProps) {
  const id = useId();
  const { field, events, overlay } = rich;
  const typed = useSteadyCaret(field, value);
  const limited = useTextLimit(value, ANSWER_TEXT_CHARACTERS, (text) => {
    typed(text);
    onChange(text);
  });
  const [settled] = useDebouncedValue(value, REST_MS);
  const isDrawn = !isPlain(value) && !isPlain(settled);
  return (
    <>
      <Input
        component="textarea"
        multiline
        withAria={false}
        ref={field}
        classNames={LINE}
        rows={1}
        lang={useContext(ContentLanguage)}
        placeholder={placeholder}
        aria-label={label}
        error={isInvalid}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isDrawn ? id : undefined}
        enterKeyHint="next"
        {...limited.field}
        {...events}
        onKeyDown={(event) => {
          events.onKeyDown(event);
          if (event.defaultPrevented || event.nativeEvent.isComposing) return;
          if (event.key === 'Enter' && !event.shiftKey && onEnter) {
            event.preventDefault();
            onEnter();
          } else if (event.key === 'Backspace' && value === '' && !event.repeat && onErase) {
            event.preventDefault();
            onErase();
          }
        }}
        onPaste={(event) => {
          events.onPaste(event, value === '' ? onLines : undefined);
        }}
      />
      <LimitNote limit={limited.limit} />
      {isDrawn && (
        <Box id={id} style={PREVIEW} mt={4} px={14} c="dimmed" fz="sm">
          <RichTextShown inline text={settled} />
        </Box>
      )}
      {overlay}
    </>
  );
}
