import { WIRE_VERSION } from '#contract/version.ts';
import { createCaller } from '#app/api/request.ts';
import { broadcastChannel, CHANNEL } from '#app/outbox/channel.ts';
import { webLocks } from '#app/outbox/locks.ts';
import { createOutbox } from '#app/outbox/outbox.ts';
import { browserClock, browserTimers } from '#app/outbox/surroundings.ts';
import { createTransport } from '#app/outbox/transport.ts';
import type { Storage } from '#app/storage/storage.ts';

interface Surroundings {
  storage: Storage;
  apiBase: string;
}

/**
 * Sends what waits of the mirrored owner; the same outbox as in the page, under the same lock.
 * Rejects while something is left, so that the browser wakes the worker again.
 */
export async function sendAnswers({ storage, apiBase }: Surroundings): Promise<void> {
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
    const report = await outbox.flush({ force: true });
    if (report.ran && report.waiting > 0 && report.pause === null) {
      throw new Error('Answers still wait');
    }
  } finally {
    port.close();
  }
}
