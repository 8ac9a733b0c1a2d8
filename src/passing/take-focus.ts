/** Gives the focus to a screen's heading when what had it went away with the screen before. */
export function takeFocus(heading: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) heading?.focus({ preventScroll: true });
}
