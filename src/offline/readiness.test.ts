import { expect, test } from 'vitest';
import { readinessVerdict, requestPersistence } from './readiness.ts';

const whole = {
  isSecure: true,
  isDurable: true,
  isPersisted: true,
  isWorkerActive: true,
  isOnline: true,
};

test('a device with storage, worker and network is ready', () => {
  expect(readinessVerdict(whole)).toBe('ready');
  expect(readinessVerdict({ ...whole, isPersisted: null })).toBe('ready');
});

test.each([
  [{ isPersisted: false }, 'mayBeCleaned'],
  [{ isWorkerActive: false }, 'noWorkerYet'],
  [{ isSecure: false, isWorkerActive: false }, 'insecure'],
  [{ isDurable: false, isSecure: false }, 'noStorage'],
  [{ isOnline: false, isDurable: false }, 'noNetwork'],
] as const)('%j is said as %s', (lack, verdict) => {
  expect(readinessVerdict({ ...whole, ...lack })).toBe(verdict);
});

test('a browser without the storage interface has no answer', async () => {
  expect(await requestPersistence(undefined)).toBeNull();
  expect(await requestPersistence({})).toBeNull();
});

test('persistence is asked for only where it is not granted yet', async () => {
  let asked = 0;
  const persist = () => Promise.resolve((asked += 1) > 0);
  expect(await requestPersistence({ persisted: () => Promise.resolve(true), persist })).toBe(true);
  expect(asked).toBe(0);
  expect(await requestPersistence({ persisted: () => Promise.resolve(false), persist })).toBe(true);
  expect(asked).toBe(1);
});

test('a browser that fails at the question has no answer', async () => {
  const fails = () => Promise.reject(new Error('denied'));
  expect(await requestPersistence({ persisted: fails, persist: fails })).toBeNull();
});
