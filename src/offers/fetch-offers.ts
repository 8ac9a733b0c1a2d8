import { getOfferFile, makeOffer, type Offer } from '#contract/offers.ts';
import { getTestDetails, listMyTests, type TestListItem } from '#contract/tests.ts';
import { call } from '#app/api/call.ts';
import { download } from '#app/api/download.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { logProblem } from '#app/lib/log.ts';
import {
  deleteOffer,
  noteOfferChecked,
  putOffer,
  readOffer,
  testsWithOffers,
  type StoredOffer,
} from '#app/storage/offer-database.ts';
import type { Storage } from '#app/storage/storage.ts';
import { arePagesCached } from './cached-pages.ts';
import { deviceKeyOf } from './offer-state.ts';
import { isOfferOf } from './open-offer.ts';

/** Fetches the offers of a student while there is a network, and deletes those that are of no use any more. */

/** Calls of the server. */
export interface OfferCalls {
  readonly offer: (testId: string) => Promise<Offer>;
  readonly file: (testId: string, offerId: string, key: string) => Promise<ArrayBuffer>;
  /** Reads the pages that lead to the test, so that the worker has them without a network. */
  readonly pages: (testId: string) => Promise<void>;
}

const WORKER_WAIT_MS = 10_000;

/**
 * On a first visit the worker takes the page over only after the page has read its list. One that comes too late, as on
 * a slow device, gets the pages then.
 */
async function withWorker(read: () => Promise<void>): Promise<void> {
  if (!('serviceWorker' in navigator) || navigator.serviceWorker.controller) return read();
  let isLate = false;
  await new Promise<void>((resolve) => {
    const onWorker = () => {
      resolve();
      if (isLate)
        read().catch((cause: unknown) => logProblem('Страницы теста не загрузить', { cause }));
    };
    navigator.serviceWorker.addEventListener('controllerchange', onWorker, { once: true });
    setTimeout(() => {
      isLate = true;
      resolve();
    }, WORKER_WAIT_MS);
  });
  await read();
}

export const offerCalls: OfferCalls = {
  offer: (id) => call(makeOffer, { params: { id } }),
  file: async (id, offerId, key) =>
    (await download(getOfferFile, { params: { id, offerId, key } })).blob.arrayBuffer(),
  pages: (id) =>
    withWorker(async () => {
      await call(listMyTests, {});
      await call(getTestDetails, { params: { id } });
    }),
};

export interface Fetching {
  readonly owner: string;
  /** The device's rows: attempts and keys. */
  readonly storage: Storage;
  /** Server time, milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  readonly calls: OfferCalls;
  readonly pause: (ms: number) => Promise<void>;
}

/** A test that may begin without a network. */
export type OfferedTest = Pick<TestListItem, 'id' | 'offlineStart'>;

/** At most one answered request for a test in this time. */
const EVERY_MS = 60_000;
/** A class that opens the app at once asks within this time. */
const SPREAD_MS = 5_000;
/** An offer that has not been renewed for so long is of a test that was left. */
const MAX_AGE_MS = 14 * 86_400_000;

/** The server will not make an offer again until something changes. */
export const NO_OFFER: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'FORBIDDEN',
  'OFFLINE_START_OFF',
  'ATTEMPT_RUNNING',
  'NO_ATTEMPTS_LEFT',
  'TEST_CLOSED',
  'TEST_EMPTY',
]);

const requestedAt = new Map<string, number>();
const requestKey = (owner: string, testId: string): string => `${owner}/${testId}`;
let working: Promise<void> = Promise.resolve();

/** Of a file's encrypted reply: iv and tag, and JSON around the file as base64 with the shortest type. */
const leastSize = (bytes: number): number => 60 + Math.ceil(bytes / 3) * 4;

async function fetchFiles({ calls }: Fetching, offer: Offer): Promise<ArrayBuffer[]> {
  const files: ArrayBuffer[] = [];
  for (const { key, bytes } of offer.files) {
    const file = await calls.file(offer.testId, offer.offerId, key);
    if (file.byteLength < leastSize(bytes)) throw new Error(`a file of ${file.byteLength} bytes`);
    files.push(file);
  }
  return files;
}

const LOOKS = 20;
const LOOK_EVERY_MS = 100;

/** The worker drops pages that an offer here still needs. It replies before it stores, so that is waited for. */
async function keepPages({ owner, calls, pause }: Fetching, testId: string): Promise<void> {
  if (await arePagesCached(owner, testId)) return;
  await calls.pages(testId);
  for (let look = 1; look < LOOKS && !(await arePagesCached(owner, testId)); look += 1)
    await pause(LOOK_EVERY_MS);
}

async function updateOffer(
  fetching: Fetching,
  testId: string,
  deviceKey: CryptoKey,
): Promise<void> {
  const { owner, calls } = fetching;
  const offer = await calls.offer(testId);
  // Somebody else may have signed in since: their offer is for another key.
  const isOwn = offer.testId === testId && (await isOfferOf(offer, deviceKey));
  if (!isOwn) throw new Error('an offer for another key');
  const found = await readOffer(owner, testId);
  const known = found === 'damaged' || found?.offer.offerId !== offer.offerId ? null : found;
  const checkedAt = fetching.now();
  const files = known?.files ?? (await fetchFiles(fetching, offer));
  await keepPages(fetching, testId);
  if (known && JSON.stringify(known.offer) === JSON.stringify(offer))
    return noteOfferChecked(owner, testId, checkedAt);
  await putOffer(owner, { offer, files, checkedAt });
}

async function fetchOffer(fetching: Fetching, testId: string, deviceKey: CryptoKey): Promise<void> {
  await fetching.pause(fetching.random() * SPREAD_MS);
  try {
    await updateOffer(fetching, testId, deviceKey);
  } catch (cause) {
    if (cause instanceof ApiFailure && NO_OFFER.has(cause.code ?? ''))
      return deleteOffer(fetching.owner, testId);
    logProblem('Тест для начала без сети не загрузить', { cause });
    // Nothing is known of this test: the next try need not wait.
    requestedAt.delete(requestKey(fetching.owner, testId));
  }
}

const isExpired = ({ offer: { endsAt, madeAt } }: StoredOffer, now: number): boolean =>
  (endsAt !== null && Date.parse(endsAt) <= now) || Date.parse(madeAt) + MAX_AGE_MS <= now;

/** Deletes offers that have begun, have expired, or are damaged; a damaged one is fetched again. */
async function dropUseless({ owner, storage, now }: Fetching): Promise<void> {
  for (const testId of await testsWithOffers(owner)) {
    const stored = await readOffer(owner, testId);
    if (stored === null || stored === 'damaged') continue;
    const { offerId } = stored.offer;
    const begun = await storage.read(['attempts'], (tx) => tx.get('attempts', offerId));
    if (begun !== null || isExpired(stored, now())) await deleteOffer(owner, testId);
  }
}

async function refresh(fetching: Fetching, tests: readonly OfferedTest[]): Promise<void> {
  await dropUseless(fetching);
  const deviceKey = await deviceKeyOf(fetching.owner, fetching.storage);
  if (typeof deviceKey === 'string') return;
  for (const { id, offlineStart } of tests) {
    const key = requestKey(fetching.owner, id);
    const last = requestedAt.get(key);
    const isEarly = last !== undefined && Math.abs(fetching.now() - last) < EVERY_MS;
    if (!offlineStart || isEarly) continue;
    requestedAt.set(key, fetching.now());
    await fetchOffer(fetching, id, deviceKey);
  }
}

/** Fetches the offers of these tests, one after another; a failure changes nothing. */
export function fetchOffers(fetching: Fetching, tests: readonly OfferedTest[]): Promise<void> {
  working = working
    .then(() => refresh(fetching, tests))
    .catch((cause: unknown) => logProblem('Тесты для начала без сети не обновить', { cause }));
  return working;
}
