import { useEffect, useRef, type RefObject } from 'react';

const TYPED = 'textarea, input:not([type=radio], [type=checkbox], [type=file])';

/**
 * Moves the focus to an urgent note when it appears or changes while the page is open, after dialogs have closed and
 * given their focus back. Whoever still types goes on: the note is spoken, too.
 * @param reason names the note; null: there is none
 */
export function useUrgentFocus(reason: string | null): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  const shown = useRef(reason);
  useEffect(() => {
    if (shown.current === reason) return;
    shown.current = reason;
    if (reason === null) return;
    const frame = requestAnimationFrame(() => {
      const typed = document.activeElement?.closest<HTMLInputElement | HTMLTextAreaElement>(TYPED);
      if (!typed || typed.readOnly || typed.disabled) ref.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [reason]);
  return ref;
}
