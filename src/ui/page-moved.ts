/** The event at the window after the content of the page was moved by something that nobody pressed. */
export const PAGE_MOVED = 'pagemoved';

/** Reports each later change of an element's height, which moves what stands below it. */
export function reportMoves(element: Element | null): (() => void) | undefined {
  if (!element) return;
  let height: number | undefined;
  const observer = new ResizeObserver(([entry]) => {
    const next = entry?.contentRect.height;
    if (height !== undefined && next !== height) window.dispatchEvent(new Event(PAGE_MOVED));
    height = next;
  });
  observer.observe(element);
  return () => observer.disconnect();
}
