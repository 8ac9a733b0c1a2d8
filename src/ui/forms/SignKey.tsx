import { ActionIcon, Text, VisuallyHidden } from '@mantine/core';
import { useState, type RefObject } from 'react';
import { toggleSign } from '#domain/format-typed.ts';

export interface SignKeyProps {
  of: RefObject<HTMLInputElement | null>;
  disabled?: boolean;
}

/** Changes the sign in the field as if it were typed. The caret does not move within the number. */
function changeSign(field: HTMLInputElement): string {
  const { value, selectionStart, selectionEnd } = field;
  const next = toggleSign(value);
  const shift = next.length - value.length;
  const moved = (place: number | null) => Math.max(0, (place ?? value.length) + shift);
  const places = [moved(selectionStart), moved(selectionEnd)] as const;
  // React compares with the value assigned to the element itself, and would not notice the change.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, next);
  field.setSelectionRange(...places);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return field.value;
}

/** At the end of a number field: some phone keyboards have no minus. */
export function SignKey({ of, disabled = false }: SignKeyProps) {
  const [spoken, setSpoken] = useState('');
  return (
    <>
      <ActionIcon
        w="2.75rem"
        miw="2.75rem"
        h="100%"
        aria-label="Сменить знак"
        disabled={disabled}
        // Leaves the focus in the field, so that the phone's keyboard stays open.
        onMouseDown={(event) => event.preventDefault()}
        onClick={({ detail }) => {
          const field = of.current;
          if (!field) return;
          // After a key press the focus stays on the button, so that it can be pressed again.
          if (detail > 0) field.focus();
          setSpoken(changeSign(field).replace('−', 'минус ') || 'Пусто');
        }}
      >
        <Text span inherit fz="lg" fw={500}>
          ±
        </Text>
      </ActionIcon>
      <VisuallyHidden component="output">{spoken}</VisuallyHidden>
    </>
  );
}

/** The space for the key at the end of a Mantine field. */
export const SIGN_SECTION = {
  rightSectionWidth: '2.75rem',
  rightSectionPointerEvents: 'all',
} as const;
