import { useEffect } from 'react';

export const SITE = 'Учебная платформа';

/** Sets the title of the browser's tab and history, also for screen readers. An empty title changes nothing. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    if (title !== '') document.title = title === SITE ? SITE : `${title} · ${SITE}`;
  }, [title]);
}
