import { useEffect, useEffectEvent, type RefObject } from 'react';
import { isDialogOpen } from '#app/ui/overlays/Modal.tsx';

export interface TakingKeys {
  /** A digit from 1 to 9. */
  onDigit: (digit: number) => void;
  onNext: () => void;
  onMark: () => void;
}

const WRITES =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], [role=listbox]';
const TAKES_ENTER = 'a[href], button, summary';

/**
 * Keys of the taking page: 1–9 choose, Enter next, М marks. Silent in fields and under dialogs.
 * @param place an element of the document that is listened to, where it is a frame's (the preview)
 */
export function useTakingKeys(
  keys: TakingKeys,
  enabled: boolean,
  place?: RefObject<Element | null>,
): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey)
      return;
    // Elements of a frame are instances of its own window's classes.
    const target = event.target as Element;
    if (isDialogOpen() || target.closest(WRITES)) return;
    if (/^[1-9]$/.test(event.key)) keys.onDigit(Number(event.key));
    else if (/^[мm]$/i.test(event.key)) keys.onMark();
    else if (event.key === 'Enter' && !target.closest(TAKES_ENTER)) keys.onNext();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!enabled) return;
    const listened = place?.current?.ownerDocument ?? document;
    listened.addEventListener('keydown', onKeyDown);
    return () => listened.removeEventListener('keydown', onKeyDown);
  }, [enabled, place]);
}
