import { useEffect, useRef, type RefObject } from 'react';

/**
 * Keeps the greatest height an element has had, so that shorter content does not shift its surroundings. Resets
 * when the window is resized or rotated.
 */
export function useSteadyHeight(): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      element.style.minHeight = `${element.offsetHeight}px`;
    });
    const measureAnew = () => {
      element.style.minHeight = '';
    };
    observer.observe(element);
    window.addEventListener('resize', measureAnew);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measureAnew);
    };
  }, []);
  return ref;
}
