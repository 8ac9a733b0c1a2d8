import { useEffect, useRef } from 'react';

export interface TakingKeys {
  /** A digit from 1 to 9. */
  onDigit: (digit: number) => void;
  onNext: () => void;
  onMark: () => void;
}

const WRITES =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], [role=listbox]';
const TAKES_ENTER = 'a[href], button, summary';

/** Keys of the taking page: 1–9 choose, Enter next, М marks. Silent in fields and under dialogs. */
export function useTakingKeys(keys: TakingKeys, enabled: boolean): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (!(event.target instanceof Element) || document.querySelector('dialog[open]')) return;
      if (event.target.closest(WRITES)) return;
      if (/^[1-9]$/.test(event.key)) latest.current.onDigit(Number(event.key));
      else if (/^[мm]$/i.test(event.key)) latest.current.onMark();
      else if (event.key === 'Enter' && !event.target.closest(TAKES_ENTER)) latest.current.onNext();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [enabled]);
}
