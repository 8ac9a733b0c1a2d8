import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Where the changed part of a text ends. */
function endOfChange(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  let tail = 0;
  while (tail < shorter - same && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return after.length - tail;
}

/**
 * A text changed by undo or from elsewhere leaves the cursor of its field at the change, where the
 * browser would put it at the end. Gives back what has to be told what was typed.
 */
export function useSteadyCaret(
  field: RefObject<HTMLTextAreaElement | null>,
  value: string,
): (typed: string) => void {
  const known = useRef(value);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = value;
    if (before === value || !field.current || field.current !== document.activeElement) return;
    const at = endOfChange(before, value);
    field.current.setSelectionRange(at, at);
  });
  return (typed) => {
    known.current = typed;
  };
}
