import { ActionIcon, Flex, Text } from '@mantine/core';
import type { MouseEvent, RefObject } from 'react';
import { SignKey } from '#app/ui/forms/SignKey.tsx';
import classes from './NumberKeys.module.css';

/** The phone keyboards for a number: the one with digits has no minus on iOS, and no letters anywhere. */
export type Keyboard = 'decimal' | 'text';

export interface NumberKeysProps {
  of: RefObject<HTMLInputElement | null>;
  keyboard: Keyboard;
  onKeyboard: (keyboard: Keyboard) => void;
  disabled?: boolean;
}

/** Leaves the focus in the field, so that the phone's keyboard stays open. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** Beside every number field, whatever its key is: the sign, and on touch screens the keyboard with letters. */
export function NumberKeys({ of, keyboard, onKeyboard, disabled = false }: NumberKeysProps) {
  return (
    <Flex component="span" justify="flex-end" w="100%" h="100%">
      <ActionIcon
        className={classes.letters}
        aria-label={keyboard === 'text' ? '123, клавиатура с цифрами' : 'АБВ, клавиатура с буквами'}
        disabled={disabled}
        onMouseDown={keepFocus}
        onClick={() => {
          onKeyboard(keyboard === 'text' ? 'decimal' : 'text');
          const field = of.current;
          if (!field) return;
          // iOS reads it when a field gets the focus.
          field.setAttribute('inputmode', keyboard === 'text' ? 'decimal' : 'text');
          field.blur();
          field.focus();
        }}
      >
        <Text span inherit fz="xs" fw={500}>
          {keyboard === 'text' ? '123' : 'АБВ'}
        </Text>
      </ActionIcon>
      <SignKey of={of} disabled={disabled} />
    </Flex>
  );
}
