/**
 * WebKit keeps a page that is left while it loads in the back/forward cache and stops its requests: an `import()`
 * is never settled, a style sheet fails. Brought back, the page would wait for ever or show that failure, so it
 * is reloaded.
 * @param isLoading the screen is still on its way, or its loading failed; nothing can have been typed into it
 */
export function reloadInterrupted(
  page: EventTarget,
  isLoading: () => boolean,
  reload: () => void,
): void {
  page.addEventListener('pageshow', (event) => {
    if ('persisted' in event && event.persisted && isLoading()) reload();
  });
}
