import { useEffect } from 'react';

export const SITE = 'Учебная платформа';

/** Names the screen in the browser's tab and history, and to screen readers; an empty title changes nothing. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    if (title !== '') document.title = title === SITE ? SITE : `${title} · ${SITE}`;
  }, [title]);
}
