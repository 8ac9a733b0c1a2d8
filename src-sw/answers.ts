import { WIRE_VERSION } from '#contract/version.ts';
import { createCaller } from '#app/api/request.ts';
import { browserClock, browserTimers } from '#app/api/timers.ts';
import { showBadge } from '#app/offline/badge.ts';
import { CHANNEL, broadcastChannel, webLocks } from '#app/outbox/environment.ts';
import { createOutbox } from '#app/outbox/outbox.ts';
import { createTransport } from '#app/outbox/transport.ts';
import type { Storage } from '#app/storage/storage.ts';

interface Environment {
  storage: Storage;
  apiBase: string;
}

/**
 * Sends waiting operations of the signed-in user; the same outbox as in the page, under the same lock.
 * Rejects while something is left, so that the browser repeats the sync event.
 */
export async function sendAnswers({ storage, apiBase }: Environment): Promise<void> {
  const port = new BroadcastChannel(CHANNEL);
  try {
    const outbox = createOutbox({
      storage,
      transport: createTransport(
        createCaller({ baseUrl: apiBase, appVersion: String(WIRE_VERSION) }),
      ),
      locks: webLocks(navigator.locks, browserTimers),
      clock: browserClock,
      timers: browserTimers,
      random: Math.random,
      newId: () => crypto.randomUUID(),
      online: () => navigator.onLine,
      channel: broadcastChannel(port),
    });
    await outbox.opened();
    const { ran, waiting, pause } = await outbox.flush();
    if (ran) await showBadge(navigator, waiting);
    if (waiting > 0 && pause === null) throw new Error('Answers still wait');
  } finally {
    port.close();
  }
}
