import * as v from 'valibot';
import { paintedCache } from '#app/offline/painted-page.ts';
import { ToWorker, type UpdateVerdict } from '#app/offline/messages.ts';
import type { Storage } from '#app/storage/storage.ts';
import { picturesCache } from '#app/offline/pictures-cache.ts';
import { cachesOfOthers } from './caches.ts';
import { contentCache } from '#app/offline/content-cache.ts';

/** Dependencies of the message handler, replaceable in tests. */
export interface MessageEnvironment {
  storage: Storage;
  /** Server time, or the device's; milliseconds. */
  now: () => number;
  /** Open pages of this app, those controlled by older workers included. */
  countPages: () => Promise<number>;
  skipWaiting: () => Promise<void>;
  cacheNames: () => Promise<string[]>;
  deleteCache: (name: string) => Promise<unknown>;
}

async function isAttemptRunning({ storage, now }: MessageEnvironment): Promise<boolean> {
  const attempts = await storage.read(['attempts'], (tx) => tx.all('attempts'));
  return attempts.some(({ state, deadline }) => state === 'running' && deadline > now());
}

/** An accepted update is refused under a running attempt or beside other pages. */
async function updateVerdict(
  surroundings: MessageEnvironment,
  duringAttempt: boolean,
): Promise<UpdateVerdict['verdict']> {
  if (!duringAttempt && (await isAttemptRunning(surroundings))) return 'attemptRuns';
  return (await surroundings.countPages()) > 1 ? 'otherTabs' : 'applied';
}

/** Handles a page's message; unknown messages come from newer versions and are ignored. */
export async function onMessage(
  data: unknown,
  reply: (verdict: v.InferInput<typeof UpdateVerdict>) => void,
  surroundings: MessageEnvironment,
): Promise<void> {
  const message = v.safeParse(ToWorker, data);
  if (!message.success) return;
  const drop = (names: readonly string[]) =>
    Promise.all(names.map((name) => surroundings.deleteCache(name)));
  switch (message.output.type) {
    case 'forgetOwner': {
      const { owner, keepPictures } = message.output;
      await drop([
        contentCache(owner),
        paintedCache(owner),
        ...(keepPictures ? [] : [picturesCache(owner)]),
      ]);
      return;
    }
    case 'keepOnly':
      await drop(cachesOfOthers(await surroundings.cacheNames(), message.output.owner));
      return;
    case 'applyUpdate': {
      const verdict = await updateVerdict(surroundings, message.output.duringAttempt);
      reply({ type: 'updateVerdict', verdict });
      if (verdict === 'applied') await surroundings.skipWaiting();
    }
  }
}
