import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import { isDialogOpen } from './overlays/Modal.tsx';

export interface Shortcuts {
  /** Whether shortcuts of one letter or digit are on. */
  readonly isOn: boolean;
  readonly setOn: (isOn: boolean) => void;
}

/** What a person has set for this device. */
export const ShortcutsContext = createContext<Shortcuts>({ isOn: true, setOn: () => undefined });

export const useShortcuts = (): Shortcuts => useContext(ShortcutsContext);

const WRITES =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], [role=listbox]';

/**
 * Whether a key of one letter or digit is a shortcut: pressed alone in the page's main part, not in a field, a header
 * or a dialog. A voice command or an accidental press elsewhere does nothing (WCAG 2.1.4).
 */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  // Elements of a frame are instances of its own window's classes.
  const target = event.target as Element;
  if (isDialogOpen() || target.closest(WRITES)) return false;
  // Without a focus the event's target is the body, as after the page was opened.
  return target === target.ownerDocument.body || target.closest('main') !== null;
}

/** Listens for shortcuts in a document while they are switched on. The handler prevents the default of those it knows. */
export function useShortcutKeys(onKey: (event: KeyboardEvent) => void, place?: () => Document) {
  const { isOn } = useShortcuts();
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (isShortcut(event)) onKey(event);
  });
  const findPlace = useEffectEvent(() => place?.() ?? document);
  useEffect(() => {
    if (!isOn) return;
    const listened = findPlace();
    listened.addEventListener('keydown', handle);
    return () => listened.removeEventListener('keydown', handle);
  }, [isOn]);
}
