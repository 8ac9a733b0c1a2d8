/** After a return from the cache: an interrupted import may fail only then. */
const INTERRUPTED_MS = 2_000;

/**
 * If a person leaves a page while it loads, WebKit puts it into the back/forward cache and stops its requests: an
 * `import()` is never settled, a style sheet fails. After a return the page would wait for ever or show that failure,
 * so it is reloaded.
 * @param isLoading the screen is still loading, or its loading failed; nothing can have been typed into it
 */
export function reloadInterrupted(
  page: EventTarget,
  isLoading: () => boolean,
  reload: () => void,
): void {
  let returnedAt = Number.NEGATIVE_INFINITY;
  page.addEventListener('pageshow', (event) => {
    if (!('persisted' in event) || !event.persisted) return;
    returnedAt = event.timeStamp;
    if (isLoading()) reload();
  });
  // The router counts a screen as loaded while React still waits for one of its parts.
  page.addEventListener('vite:preloadError', ({ timeStamp }) => {
    if (timeStamp - returnedAt < INTERRUPTED_MS) reload();
  });
}
