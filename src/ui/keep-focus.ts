import { canFocus, placeOf, setFocusRestorer, type Level, type Place } from './lost-focus.ts';

/** Fields are left out: the focus would open a phone's keyboard. */
const CONTROLS =
  'a[href], button, summary, [role="button"], [tabindex="0"], input[type="radio"], input[type="checkbox"]';
const HEADINGS = 'h1, h2, h3, h4';
const LISTS = 'ul, ol, table, [role="list"], [role="table"]';
/** The search ends at an ancestor with a heading of its own. */
const ROOT = '[role="dialog"], main, body';

const isSeen = (element: Element): element is HTMLElement =>
  canFocus(element) && element.getClientRects().length > 0;

/** Hidden by its own style or by an ancestor's. Needs the layout. */
const isHidden = (element: Element): boolean =>
  element.getClientRects().length === 0 || getComputedStyle(element).visibility === 'hidden';

const isOff = (element: Element): boolean => !element.isConnected || element.matches(':disabled');

const isGone = (element: Element): boolean => isOff(element) || isHidden(element);

const controlsIn = (root: Element) => [
  ...(root.matches(CONTROLS) ? [root] : []),
  ...root.querySelectorAll(CONTROLS),
];

/** Mantine gives each element with responsive style properties a random class. */
const classesOf = (element: Element): string =>
  [...element.classList].filter((name) => !name.startsWith('__m__')).join(' ');

/** The same control in a neighbouring row, by its position among the row's controls. */
function inRow(row: Element | null, level: Level, lost: Element): HTMLElement | null {
  const { node } = level;
  if (!row?.isConnected || node === lost) return null;
  // One component draws the rows of a list.
  if (row.tagName !== node.tagName || classesOf(row) !== classesOf(node)) return null;
  const index = controlsIn(node).indexOf(lost);
  const own = index < 0 ? [] : controlsIn(row).filter(isSeen);
  return own[index] ?? own.at(-1) ?? null;
}

/** The heading of the part that contained an element: the last one before its place. */
function headingIn({ parent, next }: Level): HTMLElement | null {
  const headings = [...parent.querySelectorAll(HEADINGS)].filter(isSeen);
  const before = headings.filter(
    (heading) =>
      !next?.isConnected ||
      (heading.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );
  return before.at(-1) ?? headings[0] ?? null;
}

const findPageHeading = (): HTMLElement | null =>
  [...document.querySelectorAll('h1')].find(isSeen) ?? null;

/** The nearest target for an element that disappeared: the next row, the list before it, or the heading of its part. */
function findNearest(lost: Element, levels: readonly Level[]): HTMLElement | null {
  // A page that is drawn anew, for example after its content loaded, has a new heading.
  if (lost.matches('h1')) return findPageHeading();
  let isLost = false;
  for (const level of levels) {
    isLost ||= isGone(level.node);
    if (!isLost || !level.parent.isConnected) continue;
    const row = inRow(level.next, level, lost) ?? inRow(level.previous, level, lost);
    if (row) return row;
    const { previous } = level;
    if (previous?.isConnected && previous.matches(LISTS)) {
      const last = controlsIn(previous).reverse().find(isSeen);
      if (last) return last;
    }
    const heading = headingIn(level);
    if (heading) return heading;
    if (level.parent.matches(ROOT)) break;
  }
  return findPageHeading();
}

/** Focuses an element. A heading becomes focusable by script only. */
export function focusElement(element: HTMLElement, options?: FocusOptions): void {
  if (element.matches(HEADINGS) && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus(options);
}

/** Whether no element has the focus. */
const isNowhere = (): boolean => {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body;
};

/** Focuses the nearest target for an element that disappeared, or the page's main part. */
function focusNearest(lost: Element | null, place: Place | null | undefined): void {
  const nearest = lost && place && findNearest(lost, place.levels);
  if (nearest) focusElement(nearest);
  else document.getElementById('main')?.focus({ preventScroll: true });
}

/**
 * Prevents the page from losing the focus. When the focused control is removed, hidden or disabled, the nearest control
 * gets the focus, unless something else gets it within the next frame. A click outside a control may remove the focus.
 *
 * @param pressed what was pressed before this began, and may have disappeared since
 */
export function keepFocus(pressed: Place | null): () => void {
  const places = new WeakMap<Element, Place>();
  let latest: Element | null = null;
  let isScheduled = false;

  const restore = (lost: Element | null) => focusNearest(lost, lost && places.get(lost));
  const restoreSoon = () => {
    if (isScheduled) return;
    isScheduled = true;
    // The page's own focus changes come first: effects, and headings in the next frame.
    requestAnimationFrame(() =>
      setTimeout(() => {
        isScheduled = false;
        const lost = latest;
        if (!lost || !isGone(lost) || !isNowhere()) return;
        latest = null;
        // The next page sets the focus itself.
        if (places.get(lost)?.path === window.location.pathname) restore(lost);
      }),
    );
  };
  // Runs at every change of the page, so it must not need the layout.
  const check = () => {
    if (latest && isOff(latest)) restoreSoon();
  };
  const remember = (element: Element | null) => {
    if (!element || element === document.body) return;
    latest = element;
    places.set(element, placeOf(element));
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target instanceof Element) remember(target);
  };
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null || !document.hasFocus()) return;
    queueMicrotask(() => {
      if (target !== latest || !latest) return;
      if (isGone(latest)) restoreSoon();
      else if (isNowhere()) latest = null;
    });
  };

  remember(document.activeElement);
  if (pressed && isNowhere() && isGone(pressed.element)) {
    latest = pressed.element;
    places.set(latest, pressed);
    restoreSoon();
  }
  const stop = new AbortController();
  document.addEventListener('focusin', onFocusIn, { signal: stop.signal });
  document.addEventListener('focusout', onFocusOut, { signal: stop.signal });
  const observer = new MutationObserver(check);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled'],
  });
  const unset = setFocusRestorer(restore);
  return () => {
    stop.abort();
    observer.disconnect();
    unset();
  };
}
