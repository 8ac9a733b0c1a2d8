import type { RefObject } from 'react';
import { useShortcutKeys } from '#app/ui/shortcuts.ts';

export interface TakingKeys {
  /** A digit from 1 to 9. */
  onDigit: (digit: number) => void;
  onNext: () => void;
  onMark: () => void;
}

const TAKES_ENTER = 'a[href], button, summary';

/**
 * Keys of the taking page: 1–9 choose, Enter next, М marks.
 * @param place an element of the document to listen to, if it is in a frame (the preview)
 */
export function useTakingKeys(
  keys: TakingKeys,
  enabled: boolean,
  place?: RefObject<Element | null>,
): void {
  useShortcutKeys(
    (event) => {
      if (!enabled) return;
      const target = event.target as Element;
      if (/^[1-9]$/.test(event.key)) keys.onDigit(Number(event.key));
      else if (/^[мm]$/i.test(event.key)) keys.onMark();
      else if (event.key === 'Enter' && !event.shiftKey && !target.closest(TAKES_ENTER))
        keys.onNext();
      else return;
      event.preventDefault();
    },
    () => place?.current?.ownerDocument ?? document,
  );
}
