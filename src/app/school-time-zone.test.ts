import { afterEach, expect, test, vi } from 'vitest';
import { learnTimeZone, readTimeZone } from './school-time-zone.ts';

function memory(content: Record<string, string> = {}) {
  const map = new Map(Object.entries(content));
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
  };
}
const answering = (timeZone: string) =>
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      Response.json({
        status: 'ok',
        product: 'exam-room',
        serverTime: '2026-05-22T08:00:00.000Z',
        timeZone,
      }),
    ),
  );

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the server’s time zone is stored for the next offline start', async () => {
  const local = memory();
  answering('Asia/Omsk');
  expect(await learnTimeZone(local)).toBe('Asia/Omsk');
  expect(readTimeZone(local)).toBe('Asia/Omsk');
});

test('a full storage does not take the received zone away', async () => {
  answering('Asia/Omsk');
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  expect(await learnTimeZone({ ...memory(), setItem })).toBe('Asia/Omsk');
});

test('the default time zone is Moscow’s', () => {
  expect(readTimeZone(memory())).toBe('Europe/Moscow');
});

test('an invalid stored zone is logged and ignored', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(readTimeZone(memory({ schoolTimeZone: 'Луна/Море' }))).toBe('Europe/Moscow');
  expect(warn).toHaveBeenCalledOnce();
});

test('an invalid zone is not stored', async () => {
  const local = memory();
  answering('nowhere');
  expect(await learnTimeZone(local)).toBe('Europe/Moscow');
  expect([...local.map]).toEqual([]);
});
