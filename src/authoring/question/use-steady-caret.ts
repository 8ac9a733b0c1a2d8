import { useLayoutEffect, useRef, type RefObject } from 'react';

/** How many letters are the same from the start, or from the end. */
function sameLetters(before: string, after: string, side: 'start' | 'end', most: number): number {
  const at = (text: string, index: number) => text.at(side === 'start' ? index : -1 - index);
  let count = 0;
  while (count < most && at(before, count) === at(after, count)) count += 1;
  return count;
}

/**
 * Where the changed part of a text ends. Letters that repeat leave a choice: then the place that is
 * nearest to where the cursor would have moved, with `caret` its place before.
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
 * A text changed by undo or from elsewhere leaves the cursor of its field at the change, where the
 * browser would put it at the end. Gives back what has to be told of what was typed.
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
