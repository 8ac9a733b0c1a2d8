import { useState, type ChangeEvent, type CompositionEvent } from 'react';
import { cutMessage, fitText, roomMessage, spokenRoom } from '#domain/format-limit.ts';

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** The field's note about its limit; empty: none. */
export interface TextLimit {
  readonly shown: string;
  /** Changes only at a few steps. */
  readonly spoken: string;
}

const UNLIMITED: TextLimit = { shown: '', spoken: '' };

/** Props of a field with a text limit. */
export interface LimitedProps {
  readonly value: string;
  readonly onChange: (event: ChangeEvent<TextElement>) => void;
  readonly onCompositionEnd: (event: CompositionEvent<TextElement>) => void;
}

/**
 * Changes of a text field within a limit of characters. The browser's own `maxLength` cuts pasted text silently. Here
 * the field shows what did not fit, and how much room is left near the limit. Text that an input method composes stays
 * unchanged until it is complete: a write to the field would end the composition, and the next letter would bring all
 * earlier letters once more.
 * @param clean removes characters that are not stored
 */
export function useTextLimit(
  value: string,
  limit: number | undefined,
  onChange: (value: string) => void,
  clean: (text: string) => string = (text) => text,
): { limit: TextLimit; field: LimitedProps } {
  const [cut, setCut] = useState({ text: '', message: '' });
  /** What the field shows during a composition, and the value behind it. */
  const [composed, setComposed] = useState<{ shown: string; value: string } | null>(null);

  const compose = ({ value: shown }: TextElement) => {
    const text = clean(shown);
    const isTooLong = limit !== undefined && text.length > Math.max(limit, value.length);
    const next = isTooLong ? value : text;
    setComposed({ shown, value: next });
    if (next !== value) onChange(next);
  };
  const complete = (field: TextElement) => {
    const typed = field.value;
    // Dropped text stays selected.
    const caret = field.selectionEnd ?? typed.length;
    const before = clean(typed.slice(0, caret));
    const text = before + clean(typed.slice(caret));
    const fitted = limit === undefined ? null : fitText(value, text, before.length, limit);
    const next = fitted?.text ?? text;
    if (next !== typed) {
      // The caret would jump to the end when the value is replaced.
      field.value = next;
      const place = fitted?.caret ?? before.length;
      field.setSelectionRange(place, place);
    }
    setComposed(null);
    setCut({
      text: next,
      message: fitted && limit !== undefined ? cutMessage(fitted, limit) : '',
    });
    if (next !== value) onChange(next);
  };
  const field: LimitedProps = {
    value: composed?.value === value ? composed.shown : value,
    onChange({ currentTarget, nativeEvent }) {
      const isComposing = 'isComposing' in nativeEvent && nativeEvent.isComposing === true;
      (isComposing ? compose : complete)(currentTarget);
    },
    onCompositionEnd: ({ currentTarget }) => complete(currentTarget),
  };
  if (limit === undefined) return { limit: UNLIMITED, field };
  // The message about cut text stays until the text changes, or another one is shown.
  const said = value === cut.text ? cut.message : '';
  return {
    limit: {
      shown: said || roomMessage(value.length, limit),
      spoken: said || spokenRoom(value.length, limit),
    },
    field,
  };
}
