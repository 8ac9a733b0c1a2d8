import type { Outbox } from '#app/outbox/outbox.ts';
import { logProblem } from './log.ts';
import { SYNC_TAG } from './messages.ts';

/** Chromium's Background Sync; absent elsewhere, where the page's own wake-ups do. */
interface SyncRegistration {
  sync?: { register: (tag: string) => Promise<void> };
}

async function ask(): Promise<void> {
  const registration: ServiceWorkerRegistration & SyncRegistration =
    await navigator.serviceWorker.ready;
  await registration.sync?.register(SYNC_TAG);
}

/**
 * Asks the browser to wake the worker when the network is back, for the case that no page is open
 * then: after an answer that finds no server, and when the page is left with answers waiting.
 */
export function askForSync(outbox: Outbox, owner: () => string | null): void {
  if (!('serviceWorker' in navigator) || !globalThis.isSecureContext) return;
  const report = (cause: unknown) => logProblem('Отправка в фоне недоступна', { cause });
  outbox.subscribe((event) => {
    if (event.kind === 'written' && outbox.reachability() !== 'reachable') ask().catch(report);
  });
  document.addEventListener('visibilitychange', () => {
    const current = owner();
    if (document.visibilityState !== 'hidden' || current === null) return;
    outbox
      .unsentCount(current)
      .then((waiting) => (waiting > 0 ? ask() : undefined))
      .catch(report);
  });
}
