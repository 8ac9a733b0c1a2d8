import { useLayoutEffect, useReducer, useRef, type RefObject } from 'react';

/** Focuses the end of a row's text, once the row is rendered. Rows are the list's children. */
export function useRowFocus(): {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly focusRow: (index: number) => void;
} {
  const list = useRef<HTMLDivElement>(null);
  const wanted = useRef<number | null>(null);
  const [, again] = useReducer((count: number) => count + 1, 0);
  // Not in a passive effect: that of an earlier render may run only now, before the row exists.
  useLayoutEffect(() => {
    const row = wanted.current === null ? undefined : list.current?.children[wanted.current];
    wanted.current = null;
    const field = row?.querySelector<HTMLTextAreaElement | HTMLInputElement>(
      'textarea, input:not([type=checkbox], [type=radio])',
    );
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  });
  return {
    list,
    focusRow: (index) => {
      wanted.current = index;
      again();
    },
  };
}
