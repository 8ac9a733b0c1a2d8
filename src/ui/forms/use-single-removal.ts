import { useRef } from 'react';
import { DOUBLE_PRESS_MS } from '#app/ui/double-press.ts';

/**
 * For a list in which the next row moves up under the pressed button: the second press of a double press must not
 * remove it.
 * @returns a function that calls `remove`, unless a row was removed just now
 */
export function useSingleRemoval(): (remove: () => void) => void {
  const removedAt = useRef(Number.NEGATIVE_INFINITY);
  return (remove) => {
    const now = performance.now();
    if (now - removedAt.current < DOUBLE_PRESS_MS) return;
    removedAt.current = now;
    remove();
  };
}
