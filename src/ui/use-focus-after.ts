import { useEffect, useRef, useState, type RefObject } from 'react';

/**
 * Where the focus goes after a dialog whose opener goes away with what was done in it: the button of an empty list,
 * the menu of a deleted row. Without it the focus would be nowhere. Gives the ref of what takes the focus, and what
 * is called together with what closes the dialog.
 */
export function useFocusAfter<E extends HTMLElement>(): [
  target: RefObject<E | null>,
  focus: () => void,
] {
  const target = useRef<E>(null);
  const [times, setTimes] = useState(0);
  // Runs after the dialog has closed and given the focus back to its opener.
  useEffect(() => {
    if (times > 0) target.current?.focus();
  }, [times]);
  return [target, () => setTimes((before) => before + 1)];
}
