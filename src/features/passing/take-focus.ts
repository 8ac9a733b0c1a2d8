/** Moves focus to the screen's heading when the focused element was unmounted with the previous screen. */
export function takeFocus(heading: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) heading?.focus({ preventScroll: true });
}
