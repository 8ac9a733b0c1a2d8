import { expect, test, vi } from 'vitest';
import { keepScreenOn } from './keep-screen-on.ts';

function createPage() {
  const target = new EventTarget();
  const page = {
    visibilityState: 'visible' as DocumentVisibilityState,
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    async become(state: DocumentVisibilityState) {
      page.visibilityState = state;
      target.dispatchEvent(new Event('visibilitychange'));
      await settle();
    },
  };
  return page;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

function createLocks() {
  const granted: { released: boolean; release: () => Promise<void> }[] = [];
  const request = vi.fn(async () => {
    const lock = {
      released: false,
      release: async () => {
        lock.released = true;
      },
    };
    granted.push(lock);
    return lock;
  });
  return { granted, request };
}

test('the screen stays on until the end, and again after the page was hidden', async () => {
  const page = createPage();
  const locks = createLocks();
  const end = keepScreenOn(page, locks);
  await settle();
  expect(locks.granted.map(({ released }) => released)).toEqual([false]);
  // The browser releases a lock with the page.
  for (const lock of locks.granted) lock.released = true;
  await page.become('hidden');
  expect(locks.request).toHaveBeenCalledTimes(1);
  await page.become('visible');
  expect(locks.granted.map(({ released }) => released)).toEqual([true, false]);
  await page.become('visible');
  expect(locks.request).toHaveBeenCalledTimes(2);
  end();
  await page.become('visible');
  expect(locks.granted.every(({ released }) => released)).toBe(true);
  expect(locks.request).toHaveBeenCalledTimes(2);
});

test('a lock granted after the end is released', async () => {
  const locks = createLocks();
  keepScreenOn(createPage(), locks)();
  await settle();
  expect(locks.granted.map(({ released }) => released)).toEqual([true]);
});

test('a refusal is silent, and the next return to the page asks again', async () => {
  const page = createPage();
  const request = vi.fn(async () => {
    throw new DOMException('battery saver', 'NotAllowedError');
  });
  keepScreenOn(page, { request })();
  const end = keepScreenOn(page, { request });
  await settle();
  await page.become('hidden');
  await page.become('visible');
  expect(request).toHaveBeenCalledTimes(3);
  end();
});

test('a page that is hidden and shown while its request is being refused asks again', async () => {
  const page = createPage();
  const refusals: ((reason: unknown) => void)[] = [];
  const locks = createLocks();
  const request = vi
    .fn(locks.request)
    .mockImplementationOnce(() => new Promise((_resolve, reject) => refusals.push(reject)));
  const end = keepScreenOn(page, { request });
  await page.become('hidden');
  await page.become('visible');
  refusals[0]?.(new DOMException('hidden', 'NotAllowedError'));
  await settle();
  expect(locks.granted.map(({ released }) => released)).toEqual([false]);
  end();
});

test('a refusal is not repeated by itself', async () => {
  const request = vi.fn(async () => {
    throw new DOMException('battery saver', 'NotAllowedError');
  });
  keepScreenOn(createPage(), { request });
  await settle();
  await settle();
  expect(request).toHaveBeenCalledTimes(1);
});

test('a browser that throws at once is as silent as one that refuses', async () => {
  const request = vi.fn(() => {
    throw new TypeError('policy');
  });
  const page = createPage();
  const end = keepScreenOn(page, { request });
  await page.become('visible');
  expect(request).toHaveBeenCalled();
  end();
});
