import { useEffect, useRef, useState, type RefObject } from 'react';

export interface FocusAfter<E extends HTMLElement> {
  /** What takes the focus: it is there once the page was shown anew. */
  ref: RefObject<E | null>;
  /** Call it together with what closes the dialog. */
  focus: () => void;
}

/**
 * Where the focus goes after a dialog whose opener goes away with what was done in it: the button of an empty list,
 * the menu of a deleted row. Without it the focus would be nowhere.
 */
export function useFocusAfter<E extends HTMLElement>(): FocusAfter<E> {
  const ref = useRef<E>(null);
  const [times, setTimes] = useState(0);
  // Runs after the dialog has closed and given the focus back to its opener.
  useEffect(() => {
    if (times > 0) ref.current?.focus();
  }, [times]);
  return { ref, focus: () => setTimes((before) => before + 1) };
}
