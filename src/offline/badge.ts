import type { Outbox } from '#app/outbox/outbox.ts';
import type { OutboxEvent } from '#app/outbox/types.ts';

export interface BadgeHost {
  setAppBadge?: (count: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

/** The number on the app's icon; does nothing if the system has none, or refuses. */
export async function showBadge(host: BadgeHost, count: number): Promise<void> {
  try {
    await (count > 0 ? host.setAppBadge?.(count) : host.clearAppBadge?.());
  } catch {
    // A browser refuses if the app is not installed.
  }
}

/**
 * Shows on the app's icon how many answers of the signed-in person wait on the device. Answers of others, which
 * only their owners may know of, are not counted.
 * @returns a function that reads the number again, for a change of the person
 */
export function startBadge(
  outbox: Pick<Outbox, 'unsentCount'> & {
    subscribe: (listener: (event: OutboxEvent) => void) => unknown;
  },
  owner: () => string | null,
  host: BadgeHost,
): () => void {
  let shownOwner = owner();
  let newest = 0;
  const refresh = async () => {
    newest += 1;
    const turn = newest;
    const current = owner();
    // The previous person's number disappears even if the device cannot be read.
    if (current !== shownOwner || current === null) await showBadge(host, 0);
    shownOwner = current;
    if (current === null) return;
    const count = await outbox.unsentCount(current);
    // The worker writes numbers too, so that the last one may not be this page's.
    if (turn === newest) await showBadge(host, count);
  };
  // An unreadable device does not change the person's number.
  const refreshQuietly = () => void refresh().catch(() => undefined);
  if (host.setAppBadge) {
    outbox.subscribe(refreshQuietly);
    refreshQuietly();
  }
  return host.setAppBadge ? refreshQuietly : () => undefined;
}
