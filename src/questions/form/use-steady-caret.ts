import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Length of the common prefix or suffix. */
function sameLetters(before: string, after: string, side: 'start' | 'end', most: number): number {
  const at = (text: string, index: number) => text.at(side === 'start' ? index : -1 - index);
  let count = 0;
  while (count < most && at(before, count) === at(after, count)) count += 1;
  return count;
}

/**
 * End of the changed part of a text. Repeated letters make it ambiguous: then the position nearest to the moved
 * cursor is chosen; `caret` is its previous position.
 */
function endOfChange(before: string, after: string, caret: number): number {
  const shorter = Math.min(before.length, after.length);
  const head = sameLetters(before, after, 'start', shorter);
  const tail = sameLetters(before, after, 'end', shorter);
  const last = after.length - Math.min(tail, shorter - head);
  const moved = caret + after.length - before.length;
  return Math.min(Math.max(moved, after.length - tail), last);
}

/**
 * Places the cursor at the change when undo or another device changes the text; the browser would move it to the end.
 * Returns the callback to call on input.
 */
export function useSteadyCaret(
  field: RefObject<HTMLTextAreaElement | null>,
  value: string,
): (typed: string) => void {
  const known = useRef({ text: value, caret: value.length });
  useLayoutEffect(() => {
    const { text, caret } = known.current;
    if (text === value) return;
    const at = endOfChange(text, value, caret);
    known.current = { text: value, caret: at };
    if (field.current && field.current === document.activeElement) {
      field.current.setSelectionRange(at, at);
    }
  });
  return (typed) => {
    known.current = { text: typed, caret: field.current?.selectionEnd ?? typed.length };
  };
}
