import type { Outbox } from '#app/outbox/outbox.ts';
import type { OutboxEvent } from '#app/outbox/types.ts';

export interface BadgeHost {
  setAppBadge?: (count: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

/** The number on the app's icon; nothing where the system has none, or refuses. */
export async function showBadge(host: BadgeHost, count: number): Promise<void> {
  try {
    await (count > 0 ? host.setAppBadge?.(count) : host.clearAppBadge?.());
  } catch {
    // A browser refuses where the app is not installed.
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
  let shown: number | null = null;
  let newest = 0;
  const refresh = async () => {
    newest += 1;
    const turn = newest;
    const current = owner();
    const count = current === null ? 0 : await outbox.unsentCount(current);
    if (turn !== newest || count === shown) return;
    shown = count;
    await showBadge(host, count);
  };
  // An unreadable device leaves the number as it is.
  const refreshQuietly = () => void refresh().catch(() => undefined);
  if (host.setAppBadge) {
    outbox.subscribe(refreshQuietly);
    refreshQuietly();
  }
  return host.setAppBadge ? refreshQuietly : () => undefined;
}
