import { useEffect, useRef, useState, type RefObject } from 'react';

/**
 * Moves the focus after a dialog whose action removes its opener: the button of an empty list, the menu of a deleted
 * row. Otherwise the focus would be lost. Returns the ref of the element to focus, and a function to call when the
 * dialog closes.
 */
export function useFocusAfter<E extends HTMLElement>(): [
  target: RefObject<E | null>,
  focus: () => void,
] {
  const target = useRef<E>(null);
  const [times, setTimes] = useState(0);
  // Runs after the dialog has closed and restored the focus to its opener.
  useEffect(() => {
    if (times > 0) target.current?.focus();
  }, [times]);
  return [target, () => setTimes((before) => before + 1)];
}
