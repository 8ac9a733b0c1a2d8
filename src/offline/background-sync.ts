import type { Outbox } from '#app/outbox/outbox.ts';
import { logProblem } from '#app/lib/log.ts';
import { SYNC_TAG } from './messages.ts';

/** Chromium's Background Sync; elsewhere the page sends on its own wake-ups. */
interface SyncRegistration {
  sync?: { register: (tag: string) => Promise<void> };
}

async function register(): Promise<void> {
  const registration: ServiceWorkerRegistration & SyncRegistration =
    await navigator.serviceWorker.ready;
  await registration.sync?.register(SYNC_TAG);
}

/**
 * Registers a Background Sync, which wakes the worker when the network is back and no page is open: after an
 * answer written without a reachable server, and when the page is hidden with unsent answers.
 */
export function registerBackgroundSync(outbox: Outbox, owner: () => string | null): void {
  if (!('serviceWorker' in navigator) || !globalThis.isSecureContext) return;
  const report = (cause: unknown) => logProblem('Отправка в фоне недоступна', { cause });
  outbox.subscribe((event) => {
    if (event.kind === 'written' && outbox.reachability() !== 'reachable') register().catch(report);
  });
  document.addEventListener('visibilitychange', () => {
    const current = owner();
    if (document.visibilityState !== 'hidden' || current === null) return;
    outbox
      .unsentCount(current)
      .then((unsent) => (unsent > 0 ? register() : undefined))
      .catch(report);
  });
}
