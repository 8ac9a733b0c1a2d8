import { useEffect } from 'react';

/** Keeps the field that has the focus in sight when a keyboard takes a part of the page. */
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
