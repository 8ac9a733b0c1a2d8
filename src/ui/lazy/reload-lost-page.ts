import { onBetterTimes } from './on-better-times.ts';

/**
 * Reloads the page if the server answers, so that a reload cannot make things worse. With a query the worker does not
 * answer in its place.
 */
export const reloadIfReachable = (isWanted = () => true): Promise<void> =>
  fetch('/favicon.svg?now', { cache: 'no-store' }).then(
    ({ ok }) => {
      if (ok && isWanted()) window.location.reload();
    },
    () => undefined,
  );

const EVERY_MS = 30_000;

/** Whether this page is itself a reload, of a moment ago. */
const wasJustReloaded = (): boolean =>
  performance.now() < EVERY_MS &&
  performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && entry.type === 'reload');

/**
 * Reloads a page that lacks a file of the app: at once, twice a minute, and when it is worth it. A reload that was in
 * vain is not repeated at once. `public/start.js` does much the same while the app itself is lost.
 * @returns ends it
 */
export function reloadLostPage(): () => void {
  let isLost = true;
  const reload = () => void reloadIfReachable(() => isLost);
  if (!wasJustReloaded()) reload();
  const timer = setInterval(reload, EVERY_MS);
  const unsubscribe = onBetterTimes(reload);
  return () => {
    isLost = false;
    clearInterval(timer);
    unsubscribe();
  };
}
