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
} from '#app/storage/offer-database.ts';
import type { Storage } from '#app/storage/storage.ts';
import { arePagesCached, waitForPages } from './cached-pages.ts';
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
  /** The calls use the token of whoever is signed in when they are made. */
  readonly session: {
    readonly current: () => {
      readonly user: { readonly userId: string };
      readonly token: string;
    } | null;
  };
  /** The device's rows: attempts and keys. */
  readonly storage: Storage;
  /** Server time, milliseconds. */
  readonly now: () => number;
  /** Not once the page that asked is left, as for an attempt, which needs the line. */
  readonly isWanted: () => boolean;
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

/** By sign-in and test. */
const requestedAt = new Map<string, number>();
const requestKey = (token: string, testId: string): string => `${token}/${testId}`;
let working: Promise<void> = Promise.resolve();

/** Of a file's encrypted reply: iv and tag, and JSON around the file as base64 with the shortest type. */
const leastSize = (bytes: number): number => 60 + Math.ceil(bytes / 3) * 4;

/** The offers of one sign-in. */
interface Turn extends Fetching {
  readonly deviceKey: CryptoKey;
  readonly token: string;
}

/** The owner's sign-in; null: somebody else is signed in, or nobody. */
function tokenOf({ owner, session }: Fetching): string | null {
  const current = session.current();
  return current?.user.userId === owner ? current.token : null;
}

const goesOn = (turn: Turn): boolean => tokenOf(turn) === turn.token && turn.isWanted();

function checkGoesOn(turn: Turn): void {
  if (!goesOn(turn)) throw new Error('not wanted any more');
}

async function fetchFiles(turn: Turn, offer: Offer): Promise<ArrayBuffer[]> {
  const { calls } = turn;
  const files: ArrayBuffer[] = [];
  for (const { key, bytes } of offer.files) {
    checkGoesOn(turn);
    const file = await calls.file(offer.testId, offer.offerId, key);
    if (file.byteLength < leastSize(bytes)) throw new Error(`a file of ${file.byteLength} bytes`);
    files.push(file);
  }
  return files;
}

const LOOKS = 20;
const LOOK_EVERY_MS = 100;

/** The worker drops pages that an offer here still needs. */
async function keepPages(turn: Turn, testId: string): Promise<void> {
  const { owner, calls, pause } = turn;
  if (await arePagesCached(owner, testId)) return;
  checkGoesOn(turn);
  await calls.pages(testId);
  await waitForPages(owner, testId, { looks: LOOKS, pause: () => pause(LOOK_EVERY_MS) });
}

async function updateOffer(turn: Turn, testId: string): Promise<void> {
  const { owner, calls, deviceKey } = turn;
  const offer = await calls.offer(testId);
  // Somebody else may have signed in since: their offer is for another key.
  const isOwn = offer.testId === testId && (await isOfferOf(offer, deviceKey));
  if (!isOwn) throw new Error('an offer for another key');
  const found = await readOffer(owner, testId);
  const known = found === 'damaged' || found?.offer.offerId !== offer.offerId ? null : found;
  const checkedAt = turn.now();
  const files = known?.files ?? (await fetchFiles(turn, offer));
  await keepPages(turn, testId);
  if (known && JSON.stringify(known.offer) === JSON.stringify(offer))
    return noteOfferChecked(owner, testId, checkedAt);
  await putOffer(owner, { offer, files, checkedAt });
}

/** @returns whether the server has replied to the owner: the clock is right then */
async function fetchOffer(turn: Turn, testId: string): Promise<boolean> {
  const { owner, token } = turn;
  try {
    await updateOffer(turn, testId);
    return true;
  } catch (cause) {
    const isVerdict = cause instanceof ApiFailure && NO_OFFER.has(cause.code ?? '');
    // After another sign-in the verdict may be about somebody else.
    if (isVerdict && tokenOf(turn) === token) {
      await deleteOffer(owner, testId);
      return true;
    }
    if (goesOn(turn)) logProblem('Тест для начала без сети не загрузить', { cause });
    // Nothing is known of this test: the next try need not wait.
    requestedAt.delete(requestKey(token, testId));
    return false;
  }
}

/** Deletes the person's offers that are of no use. */
async function dropOffers(
  owner: string,
  isUseless: (offer: Offer) => boolean | Promise<boolean>,
): Promise<void> {
  for (const testId of await testsWithOffers(owner)) {
    const stored = await readOffer(owner, testId);
    if (stored === null || stored === 'damaged') continue;
    if (await isUseless(stored.offer)) await deleteOffer(owner, testId);
  }
}

const isExpired = ({ endsAt, madeAt }: Offer, now: number): boolean =>
  (endsAt !== null && Date.parse(endsAt) <= now) || Date.parse(madeAt) + MAX_AGE_MS <= now;

async function refresh(fetching: Fetching, tests: readonly OfferedTest[]): Promise<void> {
  const { owner, storage, now } = fetching;
  await dropOffers(owner, async ({ offerId }) => {
    const begun = await storage.read(['attempts'], (tx) => tx.get('attempts', offerId));
    return begun !== null;
  });
  const token = tokenOf(fetching);
  const deviceKey = await deviceKeyOf(owner, storage);
  if (token === null || typeof deviceKey === 'string') return;
  const turn: Turn = { ...fetching, deviceKey, token };
  let hasReplied = false;
  for (const { id, offlineStart } of tests) {
    const key = requestKey(token, id);
    const last = requestedAt.get(key);
    const isEarly = last !== undefined && Math.abs(now() - last) < EVERY_MS;
    if (!offlineStart || isEarly) continue;
    await fetching.pause(fetching.random() * SPREAD_MS);
    if (!goesOn(turn)) return;
    requestedAt.set(key, now());
    if (await fetchOffer(turn, id)) hasReplied = true;
  }
  // A clock that is ahead would delete the offers of a lesson to come.
  if (hasReplied) await dropOffers(owner, (offer) => isExpired(offer, now()));
}

/** Fetches the offers of these tests, one after another; a failure changes nothing. */
export function fetchOffers(fetching: Fetching, tests: readonly OfferedTest[]): Promise<void> {
  working = working
    .then(() => refresh(fetching, tests))
    .catch((cause: unknown) => logProblem('Тесты для начала без сети не обновить', { cause }));
  return working;
}
