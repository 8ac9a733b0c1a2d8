import { useEffect } from 'react';

/** Scrolls the focused field into view when a keyboard covers a part of the page. */
export function useFieldInSight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const scroll = () => {
      const { activeElement } = document;
      if (activeElement?.matches('input, textarea'))
        activeElement.scrollIntoView({ block: 'nearest' });
    };
    viewport.addEventListener('resize', scroll);
    return () => viewport.removeEventListener('resize', scroll);
  }, []);
}
