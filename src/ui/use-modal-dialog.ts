import { useEffect, useId, useRef, type RefObject } from 'react';

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** The mark of an open dialog in the history entry, so that «back» closes it instead of leaving. */
const mark = (history: History) => {
  const state = history.state as unknown;
  return typeof state === 'object' && state !== null && 'dialog' in state
    ? state.dialog
    : undefined;
};

function pushMark(dialog: string): void {
  const before = window.history.state as unknown;
  const state = { ...(typeof before === 'object' ? before : null), dialog };
  // The router wraps this on `window.history`; a dialog is not a navigation, so it goes past it.
  History.prototype.pushState.call(window.history, state, '');
}

/** After a button in a dialog: time for the navigation it may start, which then needs the entry. */
const NAVIGATION_MS = 80;

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
  const goingBack = useRef(false);
  const unmarking = useRef<ReturnType<typeof setTimeout>>(undefined);
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
    clearTimeout(unmarking.current);
    const { history } = window;
    if (mark(history) !== id || goingBack.current) pushMark(id);
    goingBack.current = false;
    let stays: ReturnType<typeof setTimeout>;
    const onBack = () => {
      const isGoing = goingBack.current;
      goingBack.current = false;
      if (mark(history) === id) return;
      if (!isGoing) close.current();
      // Its owner may ask first, and the dialog stays: the next «back» is for it again.
      stays = setTimeout(() => mark(history) === id || pushMark(id), NAVIGATION_MS);
    };
    window.addEventListener('popstate', onBack);
    return () => {
      window.removeEventListener('popstate', onBack);
      clearTimeout(stays);
      unlock();
      if (dialog.open) dialog.close();
      if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus();
      unmarking.current = setTimeout(() => {
        if (mark(history) === id && !goingBack.current) history.back();
      }, NAVIGATION_MS);
    };
  }, [opened, id]);

  return {
    ref,
    dismiss: () => {
      if (mark(window.history) === id) {
        goingBack.current = true;
        window.history.back();
      }
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
