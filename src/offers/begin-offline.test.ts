import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { START, MINUTE, ANNA } from '#app/outbox/fake-server.ts';
import { device } from '#app/outbox/test-device.ts';
import { newId } from '#app/lib/new-id.ts';
import { contentCache } from '#app/offline/content-cache.ts';
import { picturesCache } from '#app/offline/pictures-cache.ts';
import { putOffer, readOffer } from '#app/storage/offer-database.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import type { Offer } from '#contract/offers.ts';
import { beginOffline, type BeginServices } from './begin-offline.ts';
import { readOfferState } from './offer-state.ts';
import { CODE, deviceKeyFor, OFFERED, OFFERED_TEST, PICTURE, sealOffer } from './testing.ts';

/** Caches with room for so many replies. One is a list, which may be deleted; returns what else was put into them. */
function fakeCaches(room = Infinity) {
  const stored = new Map<string, Response>();
  const lists = new Set([contentCache(ANNA)]);
  const open = async (name: string) => ({
    put: async (url: string, response: Response) => {
      if (stored.size + lists.size >= room) throw new DOMException('full', 'QuotaExceededError');
      stored.set(`${name} ${url}`, response);
    },
  });
  const free = async (name: string) => lists.delete(name);
  vi.stubGlobal('caches', { open, keys: async () => [...lists], delete: free });
  return stored;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  vi.stubGlobal('isSecureContext', true);
});

/** A student's device without a network, with an offer and its key. */
async function school(changes: Partial<Offer> = {}) {
  const made = await device();
  made.server.fault = () => 'loseRequest';
  const key = await deviceKeyFor(1);
  await made.storage.write(['deviceKeys'], (tx) =>
    tx.put('deviceKeys', { owner: ANNA, key, signIn: 'one' }),
  );
  // Each test has its own offer, since the tab remembers the last guess at it.
  const stored = await sealOffer(key, { offerId: newId(), ...changes });
  await putOffer(ANNA, stored);
  const services: BeginServices = { ...made, timeZone: 'Europe/Moscow' };
  const begin = (code: string) => beginOffline(services, ANNA, OFFERED_TEST, code);
  return { ...made, stored, begin, services };
}

test('the right code begins the attempt, and the offer is gone', async () => {
  const files = fakeCaches();
  const { begin, outbox, stored } = await school();
  const outcome = await begin(CODE);
  expect(outcome).toMatchObject({
    kind: 'begun',
    attempt: {
      attemptId: stored.offer.offerId,
      startedAt: START,
      deadline: START + 40 * MINUTE,
      countsUntil: START + 220 * MINUTE,
    },
  });
  const view = await outbox.snapshot(stored.offer.offerId);
  expect(view).toMatchObject({ begin: { state: 'waiting' }, questions: OFFERED });
  expect(await readOffer(ANNA, OFFERED_TEST)).toBeNull();
  const address = `${picturesCache(ANNA)} /api/Files/file?path=${PICTURE}`;
  expect(await files.get(address)?.json()).toEqual({ item1: btoa('png'), item2: 'image/png' });
});

test('answers of a test without a window of its own count until the end of the school’s day', async () => {
  const { begin } = await school({ offlineWindow: null });
  const endOfDay = Date.parse('2026-05-21T21:00:00.000Z');
  expect(await begin(CODE)).toMatchObject({ attempt: { countsUntil: endOfDay } });
});

test('a wrong code begins nothing, and the next one has to wait', async () => {
  const { begin, outbox, stored } = await school();
  expect(await begin('CHKMPTX23457')).toEqual({ kind: 'wrongCode', seconds: 1 });
  expect(await begin(CODE)).toMatchObject({ kind: 'tooEarly' });
  expect(await outbox.attempt(stored.offer.offerId)).toBeNull();
  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_001);
  expect(await begin(CODE)).toMatchObject({ kind: 'begun' });
  later.mockRestore();
});

test('without a key, with another’s key, or with a damaged offer nothing opens', async () => {
  const { begin, storage, outbox, stored } = await school();
  await storage.write(['deviceKeys'], (tx) => tx.delete('deviceKeys', ANNA));
  expect(await begin(CODE)).toEqual({ kind: 'noKey' });
  expect(await readOfferState(ANNA, OFFERED_TEST, storage)).toEqual({ kind: 'noKey' });
  const other = await deviceKeyFor(2);
  await storage.write(['deviceKeys'], (tx) =>
    tx.put('deviceKeys', { owner: ANNA, key: other, signIn: 'two' }),
  );
  expect(await readOfferState(ANNA, OFFERED_TEST, storage)).toEqual({ kind: 'damaged' });
  expect(await begin(CODE)).toEqual({ kind: 'damaged' });
  expect(await readOfferState(ANNA, OFFERED_TEST, storage)).toEqual({ kind: 'notFetched' });
  expect(await begin(CODE)).toEqual({ kind: 'notFetched' });
  expect(await outbox.attempt(stored.offer.offerId)).toBeNull();
});

test('an offer that is ready is known without its code', async () => {
  const { storage, stored } = await school();
  expect(await readOfferState(ANNA, OFFERED_TEST, storage)).toEqual({
    kind: 'ready',
    offer: stored.offer,
    checkedAt: Date.parse(stored.offer.madeAt),
  });
  expect(await readOfferState('boris', OFFERED_TEST, storage)).toEqual({ kind: 'noKey' });
  vi.stubGlobal('isSecureContext', false);
  expect(await readOfferState(ANNA, OFFERED_TEST, storage)).toEqual({ kind: 'insecure' });
});

test('where the device cannot store the begin nothing has begun, and the same code begins later', async () => {
  const { services, outbox, stored, begin } = await school();
  const store = () => Promise.reject(new StorageFailure('quota'));
  const full = { begins: async () => ({ store, ask: async () => undefined }) };
  expect(await beginOffline({ ...services, outbox: full }, ANNA, OFFERED_TEST, CODE)).toEqual({
    kind: 'notStored',
  });
  expect(await outbox.attempt(stored.offer.offerId)).toBeNull();
  expect(await begin(CODE)).toMatchObject({ kind: 'begun' });
});

test('pictures take the place of lists, and without a place for them nothing has begun', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const { begin, outbox, stored } = await school();
  fakeCaches(0);
  expect(await begin(CODE)).toEqual({ kind: 'notStored' });
  expect(await outbox.attempt(stored.offer.offerId)).toBeNull();
  expect(await readOffer(ANNA, OFFERED_TEST)).toMatchObject(stored);
  const files = fakeCaches(1);
  expect(await begin(CODE)).toMatchObject({ kind: 'begun' });
  expect(files.size).toBe(1);
});

test('the deadline runs from the moment at which the offer was opened', async () => {
  const { begin, world, outbox, stored } = await school();
  world.now += 5 * MINUTE;
  await begin(CODE);
  world.now += 10 * MINUTE;
  expect(await outbox.snapshot(stored.offer.offerId)).toMatchObject({ remainingMs: 30 * MINUTE });
});
