import { expect, test } from 'vitest';
import {
  isWhollyReady,
  readinessVerdict,
  readinessMessage,
  requestPersistence,
} from './readiness.ts';

const whole = {
  isSecure: true,
  isDurable: true,
  isPersisted: true,
  hasBackgroundSync: true,
  isWorkerActive: true,
  isOnline: true,
};

test('a device with storage, worker and network is ready', () => {
  expect(readinessVerdict(whole)).toBe('ready');
});

test.each([
  [{ isWorkerActive: false }, 'noWorkerYet'],
  [{ isSecure: false, isWorkerActive: false }, 'insecure'],
  [{ isDurable: false, isSecure: false }, 'noStorage'],
  [{ isOnline: false, isDurable: false }, 'noNetwork'],
] as const)('%j is described as %s', (lack, verdict) => {
  expect(readinessVerdict({ ...whole, ...lack })).toBe(verdict);
});

const READY = 'Устройство готово: ответы есть где хранить, тест загрузится целиком при начале.';
const REFUSED =
  ' Браузер не обещал хранить ответы долго: не очищайте его данные, пока они не на сервере.';
const SILENT =
  ' Браузер не говорит, долго ли хранит ответы: не очищайте его данные, пока они не на сервере.';
const ONLY_OPEN = ' На сервер ответы уходят, только пока приложение открыто.';

test.each([
  [true, true, READY],
  [true, false, READY + ONLY_OPEN],
  [false, true, READY + REFUSED],
  [false, false, READY + REFUSED + ONLY_OPEN],
  [null, true, READY + SILENT],
  [null, false, READY + SILENT + ONLY_OPEN],
  [undefined, true, READY],
])(
  'with persistent storage %s and background sync %s nothing more is claimed',
  (isPersisted, hasBackgroundSync, words) => {
    const { isPersisted: _, ...rest } = whole;
    const requests = isPersisted === undefined ? rest : { ...rest, isPersisted };
    expect(readinessMessage({ ...requests, hasBackgroundSync })).toBe(words);
    // There is no tick beside a warning.
    expect(isWhollyReady({ ...requests, hasBackgroundSync })).toBe(words === READY);
  },
);

test('only the most severe problem is shown', () => {
  const lacking = { ...whole, isPersisted: false, hasBackgroundSync: false };
  expect(readinessMessage({ ...lacking, isDurable: false })).toMatch(/^Это устройство не может/);
  expect(readinessMessage({ ...lacking, isOnline: false })).not.toContain('Браузер');
});

test('a browser without the storage API yields null', async () => {
  expect(await requestPersistence(undefined)).toBeNull();
  expect(await requestPersistence({})).toBeNull();
});

test('persistence is requested only if not granted yet', async () => {
  let requests = 0;
  const persist = () => Promise.resolve((requests += 1) > 0);
  expect(await requestPersistence({ persisted: () => Promise.resolve(true), persist })).toBe(true);
  expect(requests).toBe(0);
  expect(await requestPersistence({ persisted: () => Promise.resolve(false), persist })).toBe(true);
  expect(requests).toBe(1);
});

test('a browser that throws yields null', async () => {
  const fails = () => Promise.reject(new Error('denied'));
  expect(await requestPersistence({ persisted: fails, persist: fails })).toBeNull();
});
