import { useEffect, useEffectEvent } from 'react';
import { isDialogOpen } from '#app/ui/overlays/Modal.tsx';
import { isShortcut, useShortcuts } from '#app/ui/shortcuts.ts';

export interface GradingKeys {
  onNext: () => void;
  onPrevious: () => void;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** By physical key, so that the Russian layout works too. */
const KEYS: Readonly<Record<string, keyof GradingKeys>> = {
  ArrowRight: 'onNext',
  ArrowLeft: 'onPrevious',
  KeyJ: 'onNext',
  KeyK: 'onPrevious',
};

/** Keyboard navigation of the queue: ← → or K J, inside a field Alt+K and Alt+J. */
export function useGradingKeys(keys: GradingKeys): void {
  const { isOn } = useShortcuts();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const name = KEYS[event.code];
    if (!name || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    if (isDialogOpen()) return;
    const isLetter = event.code.startsWith('Key');
    // Alt+arrow is reserved for the browser and for moving by words.
    if (isField(event.target) ? !(isLetter && event.altKey) : event.altKey && !isLetter) return;
    if (isLetter && !event.altKey && !(isOn && isShortcut(event))) return;
    event.preventDefault();
    keys[name]();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
