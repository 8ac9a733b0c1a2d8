import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#app/lib/new-id.ts';
import { countGuess } from '#app/storage/offer-database.ts';
import { noteWrongCode, secondsAfter, secondsToWait } from './guess-limit.ts';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

test('each wrong code doubles the wait, up to half a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map(secondsAfter)).toEqual([0, 1, 2, 4, 8, 16, 30, 30, 30]);
});

test('the wait runs by the monotonic clock', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const offer = newId();
  expect(await secondsToWait('anna', offer)).toBe(0);
  await noteWrongCode('anna', offer);
  expect(await noteWrongCode('anna', offer)).toBe(2);
  now.mockReturnValue(2_500);
  expect(await secondsToWait('anna', offer)).toBe(1);
  now.mockReturnValue(3_000);
  expect(await secondsToWait('anna', offer)).toBe(0);
  now.mockRestore();
});

test('a reload does not end the wait', async () => {
  const offer = newId();
  for (let guess = 0; guess < 4; guess += 1) await countGuess('anna', offer);
  expect(await secondsToWait('anna', offer)).toBe(8);
});

test('where the device stores nothing, wrong codes are slowed all the same', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const offer = newId();
  await countGuess('anna', offer);
  expect(await secondsToWait('anna', offer)).toBe(1);
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(await noteWrongCode('anna', offer)).toBe(2);
  expect(await noteWrongCode('anna', offer)).toBe(4);
  expect(await secondsToWait('anna', offer)).toBe(4);
  put.mockRestore();
  expect(await noteWrongCode('anna', offer)).toBe(8);
  now.mockRestore();
});
