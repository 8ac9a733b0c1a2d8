import { useEffect, useRef } from 'react';

export interface GradingKeys {
  onNext: () => void;
  onPrevious: () => void;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** By the key's place, so that the Russian layout does the same. */
const KEYS: Readonly<Record<string, keyof GradingKeys>> = {
  ArrowRight: 'onNext',
  ArrowLeft: 'onPrevious',
  KeyJ: 'onNext',
  KeyK: 'onPrevious',
};

/** Goes through the answers: ← → or K J, within a field K and J with Alt. */
export function useGradingKeys(keys: GradingKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const name = KEYS[event.code];
      if (!name || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
        return;
      if (document.querySelector('dialog:modal')) return;
      const isLetter = event.code.startsWith('Key');
      // Alt and an arrow belong to the browser and to words in a text.
      if (isField(event.target) ? !(isLetter && event.altKey) : event.altKey && !isLetter) return;
      event.preventDefault();
      latest.current[name]();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
