import { DOUBLE_PRESS_MS } from './double-press.ts';

/** A second tap belongs to the first one within this distance. */
const DOUBLE_PX = 30;
/** How long the click of an ignored press may take. */
const CLICK_MS = 1_000;

const CONTROLS = 'a[href], button, summary, label, [role="button"], [role="option"]';
const KEEPS_REPEATS = 'textarea, select, [contenteditable], [role="listbox"], [role="slider"]';

interface KeyPress {
  readonly control: Element | null;
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

const isNear = (one: Press, other: Press) =>
  Math.hypot(one.x - other.x, one.y - other.y) <= DOUBLE_PX;

function silence(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * One press does one thing. A held Enter presses no further buttons, and the second tap of a double tap does nothing
 * where the first one has put another control under the finger: a dialog opened by Enter or a tap would otherwise be
 * confirmed by the same gesture. The same holds for a second Enter or Space when the first one has moved the focus: it
 * would remove the next row, too.
 *
 * @param started the press that was under way when the guard began
 */
export function guardPresses(target: Window, started: Event | null): () => void {
  let before: Press | null = null;
  let latest: Press | null = null;
  let ignoredAt = Number.NEGATIVE_INFINITY;
  let latestKey: KeyPress | null = null;

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
    // A mouse counts its clicks itself, by the time that its owner has set.
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
    // A click by key or by script has no detail.
    if (event.detail > 0 && event.timeStamp - ignoredAt < CLICK_MS) silence(event);
  };
  /** Whether a key was pressed twice, with no other between, and the first press moved the focus to another control. */
  const isSecondOfPair = (event: KeyboardEvent): boolean => {
    const first = latestKey;
    latestKey = { control: controlOf(event), key: event.key, at: event.timeStamp };
    if (event.key !== 'Enter' && event.key !== ' ') return false;
    if (!first?.control || first.key !== event.key || !latestKey.control) return false;
    if (first.control === latestKey.control) return false;
    if (latestKey.at - first.at > DOUBLE_PRESS_MS) return false;
    // A third press is measured against the first one, too.
    latestKey = { ...latestKey, control: first.control };
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof Element)) return;
    if (!event.repeat) {
      if (isSecondOfPair(event)) silence(event);
      return;
    }
    if (event.key === 'Enter' && !event.target.closest(KEEPS_REPEATS)) silence(event);
    else if (event.key === ' ' && controlOf(event)) silence(event);
  };

  if (started instanceof PointerEvent) onPointerDown(started);
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  target.addEventListener('pointerdown', onPointerDown, options);
  target.addEventListener('mousedown', onMouseDown, options);
  target.addEventListener('click', onClick, options);
  target.addEventListener('keydown', onKeyDown, options);
  return () => stop.abort();
}
