import * as v from 'valibot';
import { ToWorker, type UpdateVerdict } from '#app/offline/messages.ts';
import type { Storage } from '#app/storage/storage.ts';
import { cachesOfOthers, contentCache, picturesCache } from './caches.ts';

/** What a message may do; the worker's own surroundings, so that a test can stand in for them. */
export interface MessageSurroundings {
  storage: Storage;
  /** Server time, or the device's; milliseconds. */
  now: () => number;
  /** Pages of this app, those of older workers too. */
  countPages: () => Promise<number>;
  skipWaiting: () => Promise<void>;
  cacheNames: () => Promise<string[]>;
  deleteCache: (name: string) => Promise<unknown>;
}

async function isAttemptRunning({ storage, now }: MessageSurroundings): Promise<boolean> {
  const attempts = await storage.read(['attempts'], (tx) => tx.all('attempts'));
  return attempts.some(({ state, deadline }) => state === 'running' && deadline > now());
}

/** Under an open attempt or beside other pages nothing is taken over, though somebody agreed. */
async function updateVerdict(
  surroundings: MessageSurroundings,
  duringAttempt: boolean,
): Promise<UpdateVerdict['verdict']> {
  if (!duringAttempt && (await isAttemptRunning(surroundings))) return 'attemptRuns';
  return (await surroundings.countPages()) > 1 ? 'otherTabs' : 'applied';
}

/** Does what a page asks; what does not parse comes from a version that knows more, and is left. */
export async function onMessage(
  data: unknown,
  reply: (verdict: v.InferInput<typeof UpdateVerdict>) => void,
  surroundings: MessageSurroundings,
): Promise<void> {
  const message = v.safeParse(ToWorker, data);
  if (!message.success) return;
  const drop = (names: readonly string[]) =>
    Promise.all(names.map((name) => surroundings.deleteCache(name)));
  switch (message.output.type) {
    case 'forgetOwner': {
      const { owner, keepPictures } = message.output;
      await drop([contentCache(owner), ...(keepPictures ? [] : [picturesCache(owner)])]);
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
