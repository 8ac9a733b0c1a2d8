import { useEffect, useId, useRef, type RefObject } from 'react';
import { dropEntry, holdEntry } from './dialog-history.ts';

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

function lockScroll(): () => void {
  const { style, clientWidth } = document.documentElement;
  const before = { overflow: style.overflow, paddingRight: style.paddingRight };
  const bar = window.innerWidth - clientWidth;
  style.overflow = 'hidden';
  if (bar > 0) style.paddingRight = `${bar}px`;
  return () => Object.assign(style, before);
}

export interface ModalDialog {
  ref: RefObject<HTMLDialogElement | null>;
  /** Closes as a person does: by the cross, by a tap beside it, by Escape. */
  dismiss: () => void;
  onKeyDown: (event: { key: string; shiftKey: boolean; preventDefault: () => void }) => void;
}

/**
 * Drives a native `<dialog>`: modal while `opened`, focus kept inside and given back, page behind
 * it still, closed by «back». The first element with `data-autofocus` gets the focus, else the dialog.
 */
export function useModalDialog(opened: boolean, onClose: () => void): ModalDialog {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });

  useEffect(() => {
    const dialog = ref.current;
    if (!opened || !dialog) return;
    const returnTo = document.activeElement;
    if (!dialog.open) dialog.showModal();
    (dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog).focus();
    const unlock = lockScroll();
    const giveBack = holdEntry(id, () => close.current());
    return () => {
      unlock();
      if (dialog.open) dialog.close();
      // What opened it may be gone with what was done in it.
      const next = returnTo?.isConnected ? returnTo : document.getElementById('main');
      if (next instanceof HTMLElement) next.focus({ preventScroll: next !== returnTo });
      giveBack();
    };
  }, [opened, id]);

  return {
    ref,
    dismiss: () => {
      dropEntry(id);
      onClose();
    },
    onKeyDown: (event) => {
      if (event.key !== 'Tab' || !ref.current) return;
      const inside = [...ref.current.querySelectorAll<HTMLElement>(FOCUSABLE)];
      const first = inside[0];
      const last = inside.at(-1);
      const at = document.activeElement;
      const leaves = event.shiftKey ? at === first || at === ref.current : at === last;
      if (!leaves) return;
      event.preventDefault();
      (event.shiftKey ? last : first)?.focus();
    },
  };
}
