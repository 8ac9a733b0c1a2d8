import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import type { Offer } from '#contract/offers.ts';
import { getTestDetails, listMyTests } from '#contract/tests.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { newId } from '#app/lib/new-id.ts';
import { contentCache } from '#app/offline/content-cache.ts';
import { attempt } from '#app/outbox/test-rows.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { putOffer, readOffer, type StoredOffer } from '#app/storage/offer-database.ts';
import { fetchOffers, offerCalls, type Fetching } from './fetch-offers.ts';
import { deviceKeyFor, OFFERED_TEST, PICTURE, sealOffer } from './testing.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(), pageConfig: { baseUrl: '' } }));
vi.mock('#app/api/download.ts', () => ({ download: vi.fn() }));

const NOW = Date.parse('2026-05-21T07:00:00.000Z');
const TESTS = [{ id: OFFERED_TEST, offlineStart: true }];

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

beforeEach(() => {
  vi.mocked(call).mockReset();
  globalThis.indexedDB = new IDBFactory();
  vi.stubGlobal('isSecureContext', true);
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
});

/** A student of their own, so that tests share no minute. */
async function student(made: StoredOffer | null = null) {
  const owner = newId();
  const key = await deviceKeyFor(1);
  const storage = createMemoryStorage({ durable: true });
  await storage.write(['deviceKeys'], (tx) => tx.put('deviceKeys', { owner, key, signIn: 'one' }));
  const session = { user: { userId: owner }, token: newId() };
  const server = { stored: made ?? (await sealOffer(key)), now: NOW };
  const offer = vi.fn<(testId: string) => Promise<Offer>>(async () => server.stored.offer);
  const file = vi.fn<Fetching['calls']['file']>(
    async () => server.stored.files[0] ?? new ArrayBuffer(0),
  );
  const pages = vi.fn<Fetching['calls']['pages']>(async () => undefined);
  const fetching: Fetching = {
    owner,
    session: { current: () => session },
    storage,
    now: () => server.now,
    isWanted: () => true,
    random: () => 0.5,
    pause: async () => undefined,
    calls: { offer, file, pages },
  };
  return {
    owner,
    key,
    session,
    storage,
    server,
    offer,
    file,
    pages,
    fetching,
    read: () => readOffer(owner, OFFERED_TEST),
  };
}

const refused = (code: ErrorCode) =>
  new ApiFailure({ kind: 'refused', method: 'POST', url: '/', status: 409, code });

test('an offer is stored once it is complete', async () => {
  const { fetching, server, read, file } = await student();
  await fetchOffers(fetching, TESTS);
  expect(await read()).toMatchObject(server.stored);
  expect(file).toHaveBeenCalledTimes(1);
});

test('an offer is ready only with the pages that lead to it', async () => {
  const { fetching, pages, read, server } = await student();
  pages.mockRejectedValueOnce(
    new ApiFailure({ kind: 'unreachable', method: 'GET', url: '/api/Test/my' }),
  );
  await fetchOffers(fetching, TESTS);
  expect(await read()).toBeNull();
  server.now += 60_000;
  await fetchOffers(fetching, TESTS);
  expect(await read()).not.toBeNull();
  expect(pages.mock.calls).toEqual([[OFFERED_TEST], [OFFERED_TEST]]);
});

/** The worker's cache of a person, which contains what `pages` reads. */
function cachedPages(owner: string) {
  const cached = new Set<string>();
  const match = async (url: string, { cacheName }: { cacheName: string }) =>
    cacheName === contentCache(owner) && cached.has(url) ? new Response() : undefined;
  vi.stubGlobal('caches', { match });
  return {
    drop: () => cached.clear(),
    store: () => {
      cached.add('/api/Test/my').add(`/api/Test/${OFFERED_TEST}/short`);
    },
  };
}

test('pages that the worker has dropped since are read again, and only those', async () => {
  const { fetching, pages, owner, server } = await student();
  const cached = cachedPages(owner);
  pages.mockImplementation(async () => cached.store());
  await fetchOffers(fetching, TESTS);
  server.now += 60_000;
  await fetchOffers(fetching, TESTS);
  expect(pages).toHaveBeenCalledTimes(1);
  // As at a sign-out, or on a full device.
  cached.drop();
  server.now += 60_000;
  await fetchOffers(fetching, TESTS);
  expect(pages).toHaveBeenCalledTimes(2);
});

test('the fetch is over once the worker has stored the pages', async () => {
  const { fetching, owner } = await student();
  const cached = cachedPages(owner);
  const waits: number[] = [];
  const pause = async (ms: number) => {
    waits.push(ms);
    if (waits.length === 3) cached.store();
  };
  await fetchOffers({ ...fetching, pause }, TESTS);
  expect(waits).toEqual([2_500, 100, 100]);
});

test('a worker that takes the page over late gets the pages then', async () => {
  vi.useFakeTimers();
  const serviceWorker = Object.assign(new EventTarget(), { controller: null });
  vi.stubGlobal('navigator', { serviceWorker });
  const read = () => vi.mocked(call).mock.calls.map(([route]) => route);
  const pages = offerCalls.pages(OFFERED_TEST);
  expect(read()).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  await pages;
  expect(read()).toEqual([listMyTests, getTestDetails]);
  vi.mocked(call).mockClear();
  serviceWorker.dispatchEvent(new Event('controllerchange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(read()).toEqual([listMyTests, getTestDetails]);
});

test('a worker that takes the page over in time gets the pages once', async () => {
  vi.useFakeTimers();
  const serviceWorker = Object.assign(new EventTarget(), { controller: null });
  vi.stubGlobal('navigator', { serviceWorker });
  const pages = offerCalls.pages(OFFERED_TEST);
  serviceWorker.dispatchEvent(new Event('controllerchange'));
  await pages;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(vi.mocked(call)).toHaveBeenCalledTimes(2);
});

test('offers are requested only of tests that may begin without a network', async () => {
  const { fetching, offer } = await student();
  await fetchOffers(fetching, [{ id: OFFERED_TEST, offlineStart: false }]);
  expect(offer).not.toHaveBeenCalled();
});

test('an offer with a lost or truncated file is not stored', async () => {
  const { fetching, file, read, server } = await student();
  file.mockResolvedValueOnce(server.stored.files[0]?.slice(0, -1) ?? new ArrayBuffer(0));
  await fetchOffers(fetching, TESTS);
  expect(await read()).toBeNull();
});

test('an offer is requested once a minute; the same offer’s files are not fetched again', async () => {
  const { fetching, offer, file, server } = await student();
  await fetchOffers(fetching, TESTS);
  await fetchOffers(fetching, TESTS);
  expect(offer).toHaveBeenCalledTimes(1);
  server.now += 60_000;
  await fetchOffers(fetching, TESTS);
  expect(offer).toHaveBeenCalledTimes(2);
  expect(file).toHaveBeenCalledTimes(1);
});

test('after a failure the next request need not wait a minute', async () => {
  const { fetching, offer, file, read, server } = await student();
  offer.mockRejectedValueOnce(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' }));
  await fetchOffers(fetching, TESTS);
  file.mockRejectedValueOnce(new ApiFailure({ kind: 'unreachable', method: 'GET', url: '/' }));
  await fetchOffers(fetching, TESTS);
  expect(await read()).toBeNull();
  server.now += 5_000;
  await fetchOffers(fetching, TESTS);
  expect(offer).toHaveBeenCalledTimes(3);
  expect(await read()).not.toBeNull();
});

test('each reply notes when the offer was confirmed, and a failure does not', async () => {
  const { fetching, offer, server, read } = await student();
  await fetchOffers(fetching, TESTS);
  expect(await read()).toMatchObject({ checkedAt: NOW });
  server.now += 60_000;
  await fetchOffers(fetching, TESTS);
  expect(await read()).toMatchObject({ checkedAt: NOW + 60_000 });
  server.now += 60_000;
  offer.mockRejectedValueOnce(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' }));
  await fetchOffers(fetching, TESTS);
  expect(await read()).toMatchObject({ checkedAt: NOW + 60_000 });
});

test('a newer offer replaces the older one, and a failure leaves it', async () => {
  const { fetching, server, offer, read, key } = await student();
  await fetchOffers(fetching, TESTS);
  server.now += 60_000;
  server.stored = await sealOffer(key, { offerId: newId() });
  offer.mockRejectedValueOnce(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' }));
  await fetchOffers(fetching, TESTS);
  expect(await read()).not.toMatchObject({ offer: { offerId: server.stored.offer.offerId } });
  server.now += 60_000;
  await fetchOffers(fetching, TESTS);
  expect(await read()).toMatchObject({ offer: { offerId: server.stored.offer.offerId } });
});

test.each<ErrorCode>(['OFFLINE_START_OFF', 'NO_ATTEMPTS_LEFT', 'ATTEMPT_RUNNING', 'TEST_CLOSED'])(
  'an offer that the server makes no more (%s) is deleted',
  async (code) => {
    const { fetching, server, offer, read } = await student();
    await fetchOffers(fetching, TESTS);
    server.now += 60_000;
    offer.mockRejectedValueOnce(refused(code));
    await fetchOffers(fetching, TESTS);
    expect(await read()).toBeNull();
  },
);

test('another person’s offer is never stored', async () => {
  const { fetching, read } = await student(await sealOffer(await deviceKeyFor(2)));
  await fetchOffers(fetching, TESTS);
  expect(await read()).toBeNull();
});

test('what the server replies to the next person deletes nothing of the former, and is not requested again', async () => {
  const { fetching, server, offer, session, read } = await student();
  await putOffer(fetching.owner, server.stored);
  offer.mockImplementationOnce(async () => {
    session.user = { userId: newId() };
    session.token = newId();
    throw refused('NOT_FOUND');
  });
  await fetchOffers(fetching, [...TESTS, { id: newId(), offlineStart: true }]);
  expect(await read()).not.toBeNull();
  expect(offer).toHaveBeenCalledTimes(1);
});

test.each([
  ['the next person', { user: { userId: newId() }, token: newId() }],
  ['nobody', null],
])('with %s signed in meanwhile nothing is requested for the former', async (_, next) => {
  const { fetching, offer, session } = await student();
  let present: typeof session | null = session;
  const pause = async () => {
    present = next;
  };
  await fetchOffers({ ...fetching, session: { current: () => present }, pause }, TESTS);
  await fetchOffers({ ...fetching, session: { current: () => present } }, TESTS);
  expect(offer).not.toHaveBeenCalled();
});

test('once it is not wanted any more, no further test is requested', async () => {
  const { fetching, offer } = await student();
  const more = [...TESTS, { id: newId(), offlineStart: true }];
  const isWanted = () => offer.mock.calls.length === 0;
  await fetchOffers({ ...fetching, isWanted }, more);
  expect(offer).toHaveBeenCalledTimes(1);
});

test.each(['the page left', 'the next person signed in'])(
  'with %s no further file is fetched, and the return need not wait',
  async (how) => {
    const { fetching, key, server, offer, file, session, read } = await student();
    const picture = { key: PICTURE, bytes: 3 };
    server.stored = await sealOffer(key, { files: [picture, picture] });
    const own = { ...session };
    let isWanted = true;
    file.mockImplementationOnce(async () => {
      if (how === 'the page left') isWanted = false;
      else Object.assign(session, { user: { userId: newId() }, token: newId() });
      return server.stored.files[0] ?? new ArrayBuffer(0);
    });
    const warn = vi.mocked(console.warn).mockClear();
    await fetchOffers({ ...fetching, isWanted: () => isWanted }, TESTS);
    expect(file).toHaveBeenCalledTimes(1);
    expect(await read()).toBeNull();
    expect(warn).not.toHaveBeenCalled();
    Object.assign(session, own);
    await fetchOffers(fetching, TESTS);
    expect(offer).toHaveBeenCalledTimes(2);
    expect(await read()).not.toBeNull();
  },
);

test('a page that was left reads no pages', async () => {
  const { fetching, file, pages, server } = await student();
  let isWanted = true;
  file.mockImplementationOnce(async () => {
    isWanted = false;
    return server.stored.files[0] ?? new ArrayBuffer(0);
  });
  await fetchOffers({ ...fetching, isWanted: () => isWanted }, TESTS);
  expect(pages).not.toHaveBeenCalled();
});

test('another sign-in need not wait a minute: the worker has dropped the pages', async () => {
  const { fetching, offer, session } = await student();
  await fetchOffers(fetching, TESTS);
  session.token = newId();
  await fetchOffers(fetching, TESTS);
  expect(offer).toHaveBeenCalledTimes(2);
});

test('without a key nothing is requested', async () => {
  const { fetching, storage, owner, offer } = await student();
  await storage.write(['deviceKeys'], (tx) => tx.delete('deviceKeys', owner));
  await fetchOffers(fetching, TESTS);
  expect(offer).not.toHaveBeenCalled();
});

test('an offer that has begun is deleted, with a network or without', async () => {
  const { fetching, owner, server, storage, read } = await student();
  await putOffer(owner, server.stored);
  const { offerId } = server.stored.offer;
  await storage.write(['attempts'], (tx) =>
    tx.put('attempts', attempt({ attemptId: offerId, owner })),
  );
  await fetchOffers(fetching, []);
  expect(await read()).toBeNull();
});

test.each([
  ['whose end has passed', { endsAt: new Date(NOW).toISOString() }],
  ['of a test that was left', { madeAt: new Date(NOW - 15 * 86_400_000).toISOString() }],
])(
  'an offer %s is deleted once the server has replied, and not by the device’s clock',
  async (_, changes) => {
    const { fetching, owner, key, offer, server, read } = await student();
    await putOffer(owner, await sealOffer(key, changes));
    // A Wi-Fi without internet.
    offer.mockRejectedValueOnce(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' }));
    await fetchOffers(fetching, TESTS);
    expect(await read()).not.toBeNull();
    const other = newId();
    server.stored = await sealOffer(key, { testId: other });
    await fetchOffers(fetching, [{ id: other, offlineStart: true }]);
    expect(await read()).toBeNull();
    expect(await readOffer(owner, other)).not.toBeNull();
  },
);
