import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReadinessProblem } from '#contract/readiness.ts';
import { contentCache } from '#app/offline/content-cache.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { putOffer } from '#app/storage/offer-database.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import type { OfferState } from './offer-state.ts';
import {
  checkDevice,
  isDeviceReady,
  MIN_FREE_BYTES,
  problemsOf,
  readReadiness,
  type DeviceFacts,
} from './readiness.ts';
import { deviceKeyFor, OFFERED_TEST, sealOffer } from './testing.ts';

const NOW = Date.parse('2026-05-21T18:00:00.000Z');
const HOUR = 3_600_000;
const OWNER = 'anna';

const key = await deviceKeyFor(1);
const { offer } = await sealOffer(key);
const ready = (changes: Partial<typeof offer> = {}): OfferState => ({
  kind: 'ready',
  offer: { ...offer, ...changes },
  checkedAt: NOW - HOUR,
});

const FACTS: DeviceFacts = {
  offer: ready(),
  opensOffline: true,
  freeBytes: MIN_FREE_BYTES,
  isPersisted: true,
  serverNow: NOW,
  unsent: 0,
  isUpdateWaiting: false,
  sessionEnd: NOW + 72 * HOUR,
};
const problems = (changes: Partial<DeviceFacts>) =>
  problemsOf(checkDevice({ ...FACTS, ...changes }));

test('a device with everything is ready, and every check is shown', () => {
  const checks = checkDevice(FACTS);
  expect(isDeviceReady(checks)).toBe(true);
  expect(checks.map(({ name }) => name)).toEqual([
    'browser',
    'storage',
    'space',
    'persistence',
    'worker',
    'offer',
    'clock',
    'fresh',
    'signIn',
    'unsent',
    'version',
  ]);
});

test.each<[Partial<DeviceFacts>, ReadinessProblem]>([
  [{ offer: { kind: 'insecure' } }, 'insecure'],
  [{ offer: { kind: 'noWasm' } }, 'noWasm'],
  [{ offer: { kind: 'noStorage' } }, 'noStorage'],
  [{ unsent: null }, 'noStorage'],
  [{ offer: { kind: 'noKey' } }, 'noKey'],
  [{ offer: { kind: 'damaged' } }, 'damaged'],
  [{ offer: { kind: 'notFetched' } }, 'notFetched'],
  [{ offer: { kind: 'ready', offer, checkedAt: NOW - 25 * HOUR } }, 'offerUnchecked'],
  [{ opensOffline: false }, 'noWorker'],
  [{ freeBytes: MIN_FREE_BYTES - 1 }, 'lowSpace'],
  [{ serverNow: null }, 'noClock'],
  [{ unsent: 1 }, 'unsentAnswers'],
  [{ isUpdateWaiting: true }, 'updateWaiting'],
])('with %j the device is not ready', (changes, problem) => {
  expect(problems(changes)).toEqual([problem]);
  expect(isDeviceReady(checkDevice({ ...FACTS, ...changes }))).toBe(false);
});

test('a browser that may clear its storage is ready with a warning', () => {
  const checks = checkDevice({ ...FACTS, isPersisted: false });
  expect(problemsOf(checks)).toEqual(['notPersisted']);
  expect(isDeviceReady(checks)).toBe(true);
});

test('what the browser does not say is neither a problem nor all right', () => {
  const checks = checkDevice({ ...FACTS, freeBytes: null, isPersisted: null });
  expect(problemsOf(checks)).toEqual([]);
  expect(checks.map(({ name }) => name)).not.toContain('space');
  expect(checks.map(({ name }) => name)).not.toContain('persistence');
});

test('the sign-in has to last until an attempt from the opening on is over', () => {
  // 40 minutes.
  const opensAt = new Date(NOW + 14 * HOUR).toISOString();
  const end = NOW + 14 * HOUR + 40 * 60_000;
  expect(problems({ offer: ready({ opensAt }), sessionEnd: end })).toEqual([]);
  expect(problems({ offer: ready({ opensAt }), sessionEnd: end - 1 })).toEqual(['signInEnds']);
  const opened = new Date(NOW - HOUR).toISOString();
  expect(problems({ offer: ready({ opensAt: opened }), sessionEnd: NOW + HOUR })).toEqual([]);
  // Without an opening the lesson may be tomorrow.
  expect(problems({ sessionEnd: NOW + 24 * HOUR })).toEqual(['signInEnds']);
  expect(problems({ sessionEnd: NOW + 25 * HOUR })).toEqual([]);
});

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  vi.stubGlobal('isSecureContext', true);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

interface Browser {
  free?: number;
  isPersisted?: boolean;
  isControlled?: boolean;
  /** Those that lead to the test. */
  pages?: readonly string[];
}

const PAGES = ['/api/Test/my', `/api/Test/${OFFERED_TEST}/short`];

async function read({
  free = 1e9,
  isPersisted = true,
  isControlled = true,
  pages = PAGES,
}: Browser = {}) {
  vi.stubGlobal('caches', {
    match: async (url: string, { cacheName }: { cacheName: string }) =>
      cacheName === contentCache(OWNER) && pages.includes(url) ? new Response() : undefined,
  });
  vi.stubGlobal('navigator', {
    serviceWorker: { controller: isControlled ? {} : null },
    storage: {
      estimate: async () => ({ quota: free + 5, usage: 5 }),
      persisted: async () => isPersisted,
    },
  });
  const storage = createMemoryStorage({ durable: true });
  await storage.write(['deviceKeys'], (tx) =>
    tx.put('deviceKeys', { owner: OWNER, key, signIn: 'one' }),
  );
  await putOffer(OWNER, { ...(await sealOffer(key)), checkedAt: NOW });
  return {
    storage,
    outbox: { unsentCount: async () => 0, serverNow: () => NOW },
    worker: { isUpdateWaiting: () => false },
    sessionExpiresAt: () => new Date(NOW + 72 * HOUR).toISOString() as string | null,
  };
}
const found = async (services: Awaited<ReturnType<typeof read>>) =>
  problemsOf((await readReadiness(services, OWNER, OFFERED_TEST)).checks);

test('the facts are read from the browser, the device and the sign-in', async () => {
  expect(await found(await read())).toEqual([]);
  expect(await found(await read({ free: 1, isPersisted: false, isControlled: false }))).toEqual([
    'lowSpace',
    'notPersisted',
    'noWorker',
  ]);
  const services = await read();
  const unreadable = async () => {
    throw new StorageFailure('silent');
  };
  const outbox = { ...services.outbox, unsentCount: unreadable };
  expect(await found({ ...services, outbox })).toEqual(['noStorage']);
  expect(await found({ ...services, sessionExpiresAt: () => null })).toEqual(['signInEnds']);
});

test('a device without one of the pages that lead to the test is not ready', async () => {
  for (const pages of [[], ...PAGES.map((page) => [page])])
    expect(await found(await read({ pages }))).toEqual(['noWorker']);
});

test('a browser without the storage API and without workers is read, too', async () => {
  const services = await read();
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('caches', undefined);
  expect(await found(services)).toEqual(['noWorker']);
});
