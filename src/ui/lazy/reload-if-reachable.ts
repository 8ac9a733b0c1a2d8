/** Reloads the page if the server answers, so that a reload cannot make things worse. */
export const reloadIfReachable = (): Promise<void> =>
  fetch('/favicon.svg', { cache: 'no-store' }).then(
    ({ ok }) => {
      if (ok) window.location.reload();
    },
    () => undefined,
  );

const RELOADED = 'reloaded';
const PAUSE_MS = 60_000;

/**
 * The same without a press. At most once a minute, so that what stays lost does not reload for ever.
 * @param now milliseconds since 1970
 */
export async function reloadAutomatically(now: number): Promise<void> {
  try {
    const last = Number(sessionStorage.getItem(RELOADED));
    if (Math.abs(now - last) < PAUSE_MS) return;
    sessionStorage.setItem(RELOADED, String(now));
  } catch {
    // Without the note a reload could repeat for ever.
    return;
  }
  await reloadIfReachable();
}
