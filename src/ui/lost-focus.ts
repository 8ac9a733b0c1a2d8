/** Whether an element can have the focus now: it is on the page, visible and enabled. */
export const canFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.isConnected &&
  element !== element.ownerDocument.body &&
  !element.matches(':disabled') &&
  !element.closest('[inert]');

/** The neighbours of an element or of one of its ancestors, on one level. */
export interface Level {
  readonly node: Element;
  readonly parent: Element;
  readonly next: Element | null;
  readonly previous: Element | null;
}

/** The position of an element, to be read after the element has disappeared. */
export interface Place {
  readonly element: Element;
  readonly levels: readonly Level[];
  readonly path: string;
}

export function placeOf(element: Element): Place {
  const levels: Level[] = [];
  for (let node = element; node.parentElement; node = node.parentElement) {
    const { parentElement: parent, nextElementSibling: next, previousElementSibling } = node;
    levels.push({ node, parent, next, previous: previousElementSibling });
  }
  return { element, levels, path: window.location.pathname };
}

const FOCUSABLE = 'a[href], button, summary, input, textarea, select, [tabindex]';

/** The position of the control that a press is about to focus, or has focused. */
export function placeOfPressed({ target }: Event): Place | null {
  const control = target instanceof Element ? target.closest(FOCUSABLE) : null;
  return control && placeOf(control);
}

const focusMain = () => document.getElementById('main')?.focus({ preventScroll: true });

let restore: (lost: Element | null) => void = focusMain;

/** Moves the focus to the element nearest to one that disappeared, or else to the page's main part. */
export const restoreFocus = (lost: Element | null): void => restore(lost);

/** Sets the function that finds the nearest element. It is loaded with the first press. */
export function setFocusRestorer(next: (lost: Element | null) => void): () => void {
  restore = next;
  return () => {
    restore = focusMain;
  };
}
