import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import * as v from 'valibot';
import { Offer } from '#contract/offers.ts';
import { utf8 } from './cipher.ts';
import { openInTime } from './open-in-time.ts';
import { Bytes } from './rows.ts';

/**
 * Offers of this device: the students' own next attempts, which open with a start code. Ciphertext only, so that they
 * stay through a sign-out. One row for a person and a test, written when it is complete.
 */

const OFFER_DATABASE = 'exam-room-offers';

interface OfferSchema extends DBSchema {
  offers: { key: [owner: string, testId: string]; value: unknown };
  /** Wrong codes in a row, by offer. */
  guesses: { key: [owner: string, offerId: string]; value: number };
}

const OfferRow = v.object({
  offer: Offer,
  /** Encrypted pictures and recordings, in the order of the offer's. */
  files: v.array(Bytes),
  /** Of everything above: a truncated or damaged row is noticed before the lesson. */
  digest: v.string(),
  /** When the server last confirmed it, server time in milliseconds; absent: not since it was made. */
  checkedAt: v.optional(v.number()),
});

/** An offer with all its files. */
export interface StoredOffer {
  readonly offer: Offer;
  readonly files: readonly ArrayBuffer[];
  readonly checkedAt?: number | undefined;
}

const openDatabase = (): Promise<IDBPDatabase<OfferSchema>> =>
  openInTime(
    openDB<OfferSchema>(OFFER_DATABASE, 1, {
      upgrade: (db) => {
        db.createObjectStore('offers');
        db.createObjectStore('guesses');
      },
    }),
  );

async function withDatabase<T>(run: (db: IDBPDatabase<OfferSchema>) => Promise<T>): Promise<T> {
  const db = await openDatabase();
  try {
    return await run(db);
  } finally {
    db.close();
  }
}

/** Lower-case hex of SHA-256 over the offer and its files. */
async function digestOf({ offer, files }: StoredOffer): Promise<string> {
  const parts = [utf8(JSON.stringify(offer)), ...files.map((bytes) => new Uint8Array(bytes))];
  const sums = await Promise.all(parts.map((part) => crypto.subtle.digest('SHA-256', part)));
  const all = await crypto.subtle.digest('SHA-256', await new Blob(sums).arrayBuffer());
  return Array.from(new Uint8Array(all), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The offer of a person for a test; `damaged`: the row is truncated or not whole, and is deleted. */
export function readOffer(owner: string, testId: string): Promise<StoredOffer | 'damaged' | null> {
  return withDatabase(async (db) => {
    const found = await db.get('offers', [owner, testId]);
    if (found === undefined) return null;
    const parsed = v.safeParse(OfferRow, found);
    const isWhole =
      parsed.success &&
      parsed.output.offer.testId === testId &&
      parsed.output.digest === (await digestOf(parsed.output));
    if (isWhole) return parsed.output;
    await db.delete('offers', [owner, testId]);
    return 'damaged';
  });
}

/** Replaces the person's offer for the test, once it is complete. */
export async function putOffer(owner: string, stored: StoredOffer): Promise<void> {
  const row = { ...stored, digest: await digestOf(stored) };
  await withDatabase(async (db) => {
    const tx = db.transaction('offers', 'readwrite', { durability: 'strict' });
    await tx.store.put(row, [owner, stored.offer.testId]);
    await tx.done;
  });
}

/** Notes that the server has confirmed the stored offer. */
export const noteOfferChecked = (owner: string, testId: string, checkedAt: number): Promise<void> =>
  withDatabase(async (db) => {
    const tx = db.transaction('offers', 'readwrite');
    const found = await tx.store.get([owner, testId]);
    if (typeof found === 'object') await tx.store.put({ ...found, checkedAt }, [owner, testId]);
    await tx.done;
  });

export const deleteOffer = (owner: string, testId: string): Promise<void> =>
  withDatabase((db) => db.delete('offers', [owner, testId]));

/** Tests of which this person has an offer here. */
export const testsWithOffers = (owner: string): Promise<string[]> =>
  withDatabase(async (db) => {
    const keys = await db.getAllKeys('offers');
    return keys.flatMap(([of, testId]) => (of === owner ? [testId] : []));
  });

/** Deletes everything of a person. */
export const deleteOffers = (owner: string): Promise<void> =>
  withDatabase(async (db) => {
    const tx = db.transaction(['offers', 'guesses'], 'readwrite', { durability: 'strict' });
    for (const name of ['offers', 'guesses'] as const) {
      const store = tx.objectStore(name);
      for (const key of await store.getAllKeys()) if (key[0] === owner) await store.delete(key);
    }
    await tx.done;
  });

export const readGuesses = (owner: string, offerId: string): Promise<number> =>
  withDatabase(async (db) => (await db.get('guesses', [owner, offerId])) ?? 0);

/** Counts a wrong code; returns how many there were in a row. */
export const countGuess = (owner: string, offerId: string): Promise<number> =>
  withDatabase(async (db) => {
    const tx = db.transaction('guesses', 'readwrite');
    const count = ((await tx.store.get([owner, offerId])) ?? 0) + 1;
    // A full device ends the transaction, too.
    await Promise.all([tx.store.put(count, [owner, offerId]), tx.done]);
    return count;
  });

export const forgetGuesses = (owner: string, offerId: string): Promise<void> =>
  withDatabase((db) => db.delete('guesses', [owner, offerId]));
