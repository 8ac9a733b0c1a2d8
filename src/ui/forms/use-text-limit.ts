import { useState, type ChangeEvent } from 'react';
import { cutMessage, fitText, roomMessage, spokenRoom } from '#domain/format-limit.ts';

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** What a field says of its limit; empty: nothing. */
export interface TextLimit {
  readonly shown: string;
  /** Changes at a few steps only. */
  readonly spoken: string;
}

const UNLIMITED: TextLimit = { shown: '', spoken: '' };

/**
 * Changes of a text field within a limit of characters. The browser's own `maxLength` cuts what is pasted without a
 * word; here the field says what did not fit, and how much room is left near the limit.
 * @param clean removes characters that are not stored
 */
export function useTextLimit(
  value: string,
  limit: number | undefined,
  onChange: (value: string) => void,
  clean: (text: string) => string = (text) => text,
): { limit: TextLimit; onChange: (event: ChangeEvent<TextElement>) => void } {
  const [cut, setCut] = useState({ text: '', message: '' });
  const change = ({ currentTarget: field }: ChangeEvent<TextElement>) => {
    const typed = field.value;
    // Text that was dropped stays selected.
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
    setCut({
      text: next,
      message: fitted && limit !== undefined ? cutMessage(fitted, limit) : '',
    });
    if (next !== value) onChange(next);
  };
  if (limit === undefined) return { limit: UNLIMITED, onChange: change };
  // What was cut stays said until the text is changed, or another one is shown.
  const said = value === cut.text ? cut.message : '';
  return {
    limit: {
      shown: said || roomMessage(value.length, limit),
      spoken: said || spokenRoom(value.length, limit),
    },
    onChange: change,
  };
}
