import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { beforeEach, expect, test } from 'vitest';
import { deviceKeyFor, OFFERED_TEST, OFFER_ID, sealOffer } from '#app/offers/testing.ts';
import {
  countGuess,
  deleteOffers,
  forgetGuesses,
  putOffer,
  readGuesses,
  readOffer,
  testsWithOffers,
} from './offer-database.ts';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

/** Changes the stored row of an offer. */
async function changeRow(owner: string, change: (row: Record<string, unknown>) => unknown) {
  const db = await openDB('exam-room-offers');
  const row = (await db.get('offers', [owner, OFFERED_TEST])) as Record<string, unknown>;
  await db.put('offers', change(row), [owner, OFFERED_TEST]);
  db.close();
}

test('an offer comes back whole, and only for its owner', async () => {
  const stored = await sealOffer(await deviceKeyFor(1));
  await putOffer('anna', stored);
  expect(await readOffer('anna', OFFERED_TEST)).toMatchObject(stored);
  expect(await readOffer('boris', OFFERED_TEST)).toBeNull();
  expect(await testsWithOffers('anna')).toEqual([OFFERED_TEST]);
  expect(await testsWithOffers('boris')).toEqual([]);
});

test.each<[string, (row: Record<string, unknown>) => unknown]>([
  ['a lost file', (row) => ({ ...row, files: [] })],
  ['a truncated file', (row) => ({ ...row, files: [new ArrayBuffer(1)] })],
  [
    'a truncated content',
    (row) => ({ ...row, offer: { ...(row['offer'] as object), content: 'AA' } }),
  ],
  ['a lost field', (row) => ({ ...row, offer: { title: 'Законы Ньютона' } })],
  ['something else', () => 'text'],
])('a row with %s is noticed before the lesson, and dropped', async (_what, change) => {
  await putOffer('anna', await sealOffer(await deviceKeyFor(1)));
  await changeRow('anna', change);
  expect(await readOffer('anna', OFFERED_TEST)).toBe('damaged');
  expect(await readOffer('anna', OFFERED_TEST)).toBeNull();
});

test('wrong codes are counted by person and offer', async () => {
  expect(await countGuess('anna', OFFER_ID)).toBe(1);
  expect(await countGuess('anna', OFFER_ID)).toBe(2);
  expect(await readGuesses('boris', OFFER_ID)).toBe(0);
  await forgetGuesses('anna', OFFER_ID);
  expect(await readGuesses('anna', OFFER_ID)).toBe(0);
});

test('a person’s offers are deleted together, and nobody else’s', async () => {
  const stored = await sealOffer(await deviceKeyFor(1));
  for (const owner of ['anna', 'boris']) {
    await putOffer(owner, stored);
    await countGuess(owner, OFFER_ID);
  }
  await deleteOffers('anna');
  expect(await testsWithOffers('anna')).toEqual([]);
  expect(await readGuesses('anna', OFFER_ID)).toBe(0);
  expect(await testsWithOffers('boris')).toEqual([OFFERED_TEST]);
  expect(await readGuesses('boris', OFFER_ID)).toBe(1);
});
