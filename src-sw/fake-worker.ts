import { afterEach, beforeEach, vi } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { Storage } from '#app/storage/storage.ts';
import { fakeCaches } from './fake-caches.ts';
import { signIn } from './fake-sign-in.ts';

type Handler = (
  request: Request,
  storage: Storage,
  extend: (work: Promise<unknown>) => void,
) => Promise<Response>;

/** Before each test: the caches of a device on which Anna is signed in, and a network. */
export function fakeWorker(handle: Handler) {
  const network = vi.fn<(request: Request) => Promise<Response>>();
  let device: ReturnType<typeof fakeCaches>;
  let storage: Storage;
  beforeEach(async () => {
    device = fakeCaches();
    storage = createMemoryStorage();
    await signIn(storage);
    vi.stubGlobal('caches', device.caches);
    vi.stubGlobal('fetch', network);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    network.mockReset();
  });
  return {
    network,
    device: () => device,
    storage: () => storage,
    /** Requests, and waits for the cache write too. */
    async ask(request: Request, from = storage): Promise<Response> {
      const work: Promise<unknown>[] = [];
      const response = await handle(request, from, (one) => work.push(one));
      await Promise.all(work);
      return response;
    },
  };
}
