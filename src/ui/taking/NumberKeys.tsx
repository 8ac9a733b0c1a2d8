import { ActionIcon, Text, VisuallyHidden } from '@mantine/core';
import { useState, type MouseEvent, type RefObject } from 'react';
import { toggleSign } from '#domain/format-typed.ts';
import classes from './NumberKeys.module.css';

/** Keyboards that a phone shows for a number: the one with digits has no minus on iOS, and no letters anywhere. */
export type Keyboard = 'decimal' | 'text';

export interface NumberKeysProps {
  of: RefObject<HTMLInputElement | null>;
  keyboard: Keyboard;
  onKeyboard: (keyboard: Keyboard) => void;
  disabled?: boolean;
}

/** Changes the sign in the field as if it were typed; the caret stays where it is in the number. */
function changeSign(field: HTMLInputElement): string {
  const { value, selectionStart, selectionEnd } = field;
  const next = toggleSign(value);
  const shift = next.length - value.length;
  const moved = (place: number | null) => Math.max(0, (place ?? value.length) + shift);
  const places = [moved(selectionStart), moved(selectionEnd)] as const;
  // React compares with what was assigned to the element itself, and would not notice the change.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, next);
  field.setSelectionRange(...places);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return field.value;
}

/** The field keeps the focus, and the phone its keyboard. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** Beside every number, whatever its key is: the sign, and on touch screens the keyboard with letters. */
export function NumberKeys({ of, keyboard, onKeyboard, disabled = false }: NumberKeysProps) {
  const [spoken, setSpoken] = useState('');
  return (
    <span className={classes.keys}>
      <ActionIcon
        className={classes.letters}
        aria-label={keyboard === 'text' ? '123, клавиатура с цифрами' : 'АБВ, клавиатура с буквами'}
        disabled={disabled}
        onMouseDown={keepFocus}
        onClick={() => {
          onKeyboard(keyboard === 'text' ? 'decimal' : 'text');
          const field = of.current;
          if (!field) return;
          // iOS looks at it when a field gets the focus.
          field.setAttribute('inputmode', keyboard === 'text' ? 'decimal' : 'text');
          field.blur();
          field.focus();
        }}
      >
        <Text span inherit fz="xs" fw={500}>
          {keyboard === 'text' ? '123' : 'АБВ'}
        </Text>
      </ActionIcon>
      <ActionIcon
        className={classes.sign}
        aria-label="Сменить знак"
        disabled={disabled}
        onMouseDown={keepFocus}
        onClick={({ detail }) => {
          const field = of.current;
          if (!field) return;
          // A key press leaves the focus on the button, to press it again.
          if (detail > 0) field.focus();
          setSpoken(changeSign(field).replace('−', 'минус ') || 'Пусто');
        }}
      >
        <Text span inherit fz="lg" fw={500}>
          ±
        </Text>
      </ActionIcon>
      <VisuallyHidden component="output">{spoken}</VisuallyHidden>
    </span>
  );
}
