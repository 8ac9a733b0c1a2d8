import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let idle: (() => void)[];

beforeEach(() => {
  idle = [];
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('each work has an idle period of its own, in order, also one that an earlier one asks for', async () => {
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idle.push(callback));
  const { whenIdle } = await import('./when-idle.ts');
  const done: string[] = [];
  whenIdle(() => {
    done.push('first');
    whenIdle(() => done.push('third'));
  });
  whenIdle(() => done.push('second'));
  expect(done).toEqual([]);
  for (const expected of [['first'], ['first', 'second'], ['first', 'second', 'third']]) {
    expect(idle).toHaveLength(1);
    idle.shift()?.();
    expect(done).toEqual(expected);
  }
  expect(idle).toEqual([]);
});

test('a failure of one work does not hold up the next', async () => {
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idle.push(callback));
  const { whenIdle } = await import('./when-idle.ts');
  const next = vi.fn<() => void>();
  whenIdle(() => {
    throw new Error('no');
  });
  whenIdle(next);
  expect(() => idle.shift()?.()).toThrow('no');
  idle.shift()?.();
  expect(next).toHaveBeenCalledOnce();
});

test('a browser without idle periods works after a pause', async () => {
  vi.useFakeTimers();
  const { whenIdle } = await import('./when-idle.ts');
  const work = vi.fn<() => void>();
  whenIdle(work);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(50);
  expect(work).toHaveBeenCalledOnce();
});
