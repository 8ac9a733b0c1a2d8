/** Whether an element can have the focus now: it is on the page, visible and not switched off. */
export const canFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.isConnected &&
  element !== element.ownerDocument.body &&
  !element.matches(':disabled') &&
  !element.closest('[inert]');

const focusMain = () => document.getElementById('main')?.focus({ preventScroll: true });

let restore: (lost: Element | null) => void = focusMain;

/** Moves the focus to what is nearest to an element that went away, or else to the page's main part. */
export const restoreFocus = (lost: Element | null): void => restore(lost);

/** Says how the nearest is found. That is loaded with the first press. */
export function setFocusRestorer(next: (lost: Element | null) => void): () => void {
  restore = next;
  return () => {
    restore = focusMain;
  };
}
