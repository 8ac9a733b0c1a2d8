import type { KeyboardEvent } from 'react';
import { useShortcuts } from '#app/ui/shortcuts.ts';
import { indexOfKey } from './matching.ts';

/** What a named key does, such as «Delete» or «Escape». */
type KeyActions = Readonly<Record<string, (() => void) | undefined>>;

/** Handles the keys of a bank of `count` right items, and of the places that it fills. A letter chooses an item. */
export function useBankKeys(count: number) {
  const { isOn } = useShortcuts();
  return (event: KeyboardEvent, actions: KeyActions, onChoose: (index: number) => void) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const index = isOn ? indexOfKey({ key, code: event.nativeEvent.code }, count) : -1;
    const act = actions[key];
    if (act) act();
    else if (index >= 0) onChoose(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
