/// <reference lib="webworker" />
import { clientsClaim } from 'workbox-core';
import type { PrecacheEntry } from 'workbox-precaching';
import { SYNC_TAG } from '#app/offline/messages.ts';
import { openAnyStorage } from '#app/storage/open.ts';
import { sendAnswers } from './answers.ts';
import { outdatedCaches } from './caches.ts';
import { onMessage } from './messages.ts';
import { paintedPage } from './painted.ts';
import { registerShell } from './precache.ts';
import { registerRoutes } from './router.ts';

/** Background Sync is not in the library's types. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: (PrecacheEntry | string)[];
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void;
};

const apiBase: string = import.meta.env['VITE_API_BASE_URL'] ?? '';
const storage = openAnyStorage(self.indexedDB);

registerShell(self.__WB_MANIFEST, async (url, shell) =>
  paintedPage(url, shell, { storage: await storage, now: Date.now() }),
);
registerRoutes(storage, new URL(apiBase, self.location.origin).origin);
// Only the first worker has pages to claim: a later one activates without open pages or on an accepted update.
clientsClaim();

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(outdatedCaches(names).map((name) => caches.delete(name)))),
  );
});

self.addEventListener('message', (event) => {
  const port = event.ports[0];
  const work = storage.then((opened) =>
    onMessage(event.data, (verdict) => port?.postMessage(verdict), {
      storage: opened,
      now: Date.now,
      countPages: async () =>
        (await self.clients.matchAll({ type: 'window', includeUncontrolled: true })).length,
      skipWaiting: () => self.skipWaiting(),
      cacheNames: () => caches.keys(),
      deleteCache: (name) => caches.delete(name),
    }),
  );
  event.waitUntil(work);
});

self.addEventListener('sync', (event: SyncEvent) => {
  if (event.tag !== SYNC_TAG) return;
  event.waitUntil(storage.then((opened) => sendAnswers({ storage: opened, apiBase })));
});
