/** The event at the window after the content of the page was moved by something that nobody pressed. */
export const PAGE_MOVED = 'pagemoved';

/** Reports each later change of an element's height, which moves what stands below it. */
export function reportMoves(element: Element | null): (() => void) | undefined {
  if (!element) return;
  let isFirst = true;
  const observer = new ResizeObserver(() => {
    if (!isFirst) window.dispatchEvent(new Event(PAGE_MOVED));
    isFirst = false;
  });
  observer.observe(element);
  return () => observer.disconnect();
}
