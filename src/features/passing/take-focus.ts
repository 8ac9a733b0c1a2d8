/**
 * Moves focus to the screen's heading when the focused element was unmounted with the previous screen. It waits for the
 * next frame: a focus needs the whole layout, which would prolong the task that rendered the screen.
 */
export function takeFocus(heading: HTMLElement | null): () => void {
  const frame = requestAnimationFrame(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) heading?.focus({ preventScroll: true });
  });
  return () => cancelAnimationFrame(frame);
}
