import { useEffect } from 'react';

export const SITE = 'Учебная платформа';

/** Names the screen in the browser's tab and history, and to screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === SITE ? SITE : `${title} · ${SITE}`;
  }, [title]);
}
