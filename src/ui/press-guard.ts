import { DOUBLE_PRESS_MS } from './double-press.ts';

/** A second tap belongs to the first one within this distance. */
const DOUBLE_PX = 30;
/** How long the click of an ignored press may take. */
const CLICK_MS = 1_000;

const CONTROLS = 'a[href], button, summary, label, [role="button"], [role="option"]';
/** Controls where a held Enter writes lines or chooses, if the key went down there. */
const KEEPS_REPEATS = 'textarea, select, [contenteditable], [role="listbox"], [role="slider"]';
const FIELDS = 'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"])';

interface KeyPress {
  /** Null: the key went down in a field, or on nothing that can be pressed. */
  readonly control: Element | null;
  readonly target: EventTarget | null;
  readonly key: string;
  readonly at: number;
}

interface Press {
  readonly control: Element | null;
  readonly x: number;
  readonly y: number;
  readonly at: number;
}

const controlOf = ({ target }: Event): Element | null =>
  target instanceof Element ? target.closest(CONTROLS) : null;

const isPressing = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';

/** Only pointers press a label around a field. */
const isField = ({ target }: Event): boolean => target instanceof Element && target.matches(FIELDS);

const isNear = (one: Press, other: Press) =>
  Math.hypot(one.x - other.x, one.y - other.y) <= DOUBLE_PX;

/** Needs the layout, which is ready when a key event comes. */
const isShown = (element: Element) => element.isConnected && element.getClientRects().length > 0;

function silence(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Silences the clicks of a second tap, if the first one has put another control under the finger. */
function createPointerGuard() {
  let before: Press | null = null;
  let latest: Press | null = null;
  let ignoredAt = Number.NEGATIVE_INFINITY;

  const ignore = () => {
    if (!latest || !before) return;
    ignoredAt = latest.at;
    // A third tap is measured against the first one, too.
    latest = { ...latest, control: before.control };
  };
  const onPointerDown = (event: PointerEvent) => {
    before = latest;
    latest = {
      control: controlOf(event),
      x: event.clientX,
      y: event.clientY,
      at: event.timeStamp,
    };
    ignoredAt = Number.NEGATIVE_INFINITY;
    const isOther = before !== null && before.control !== latest.control && isNear(before, latest);
    // A mouse counts its clicks itself, by the interval that its owner has set.
    if (
      isOther &&
      event.pointerType !== 'mouse' &&
      before &&
      latest.at - before.at <= DOUBLE_PRESS_MS
    )
      ignore();
  };
  const onMouseDown = (event: MouseEvent) => {
    if (event.detail < 2 || !before || !latest || before.control === latest.control) return;
    if (isNear(before, latest)) ignore();
  };
  const onClick = (event: MouseEvent) => {
    // A click by key or script has no detail.
    if (event.detail > 0 && event.timeStamp - ignoredAt < CLICK_MS) silence(event);
  };
  return { onPointerDown, onMouseDown, onClick };
}

/** Silences held keys, and the second of two key presses if the first one has removed its control. */
function createKeyGuard() {
  let latestKey: KeyPress | null = null;

  /** Whether a key was pressed twice, with no other between, and the first press removed its control. */
  const isSecondOfPair = (event: KeyboardEvent): boolean => {
    const first = latestKey;
    latestKey = {
      control: isField(event) ? null : controlOf(event),
      target: event.target,
      key: event.key,
      at: event.timeStamp,
    };
    if (!isPressing(event)) return false;
    if (!first?.control || first.key !== event.key) return false;
    if (!latestKey.control && !isField(event)) return false;
    if (first.control === latestKey.control || isShown(first.control)) return false;
    if (latestKey.at - first.at > DOUBLE_PRESS_MS) return false;
    // A third press is measured against the first one, too.
    latestKey = { ...latestKey, control: first.control };
    return true;
  };
  /** Whether a held key still acts where it went down, and may do so. */
  const mayRepeat = (event: KeyboardEvent, target: Element): boolean => {
    if (latestKey?.target !== target || latestKey.key !== event.key) return false;
    if (event.key === 'Enter') return target.closest(KEEPS_REPEATS) !== null;
    return isField(event) || controlOf(event) === null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof Element)) return;
    const isIgnored = event.repeat
      ? isPressing(event) && !mayRepeat(event, event.target)
      : isSecondOfPair(event);
    if (isIgnored) silence(event);
  };
  return { isSecondOfPair, onKeyDown };
}

/**
 * One press does one thing. A held Enter presses no further buttons. The second tap of a double tap does nothing if the
 * first one has put another control under the finger: otherwise the gesture that opens a dialog would confirm it, too.
 * The same holds for a second Enter or Space if the first one has removed its own control: it would remove the next
 * row, too, or add one if the focus is now in a field. A control that stays, such as a menu's, may be pressed again,
 * and typing goes on in the next field.
 *
 * @param started the press that was under way when the guard began
 */
export function guardPresses(target: Window, started: Event | null): () => void {
  const { onPointerDown, onMouseDown, onClick } = createPointerGuard();
  const { isSecondOfPair, onKeyDown } = createKeyGuard();
  if (started instanceof PointerEvent) onPointerDown(started);
  if (started instanceof KeyboardEvent) isSecondOfPair(started);
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  target.addEventListener('pointerdown', onPointerDown, options);
  target.addEventListener('mousedown', onMouseDown, options);
  target.addEventListener('click', onClick, options);
  target.addEventListener('keydown', onKeyDown, options);
  return () => stop.abort();
}
