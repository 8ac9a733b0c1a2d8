import { expect, test } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { leaseLocks, webLocks, type LockHandle } from './environment.ts';
import { id } from './fake-server.ts';
import { fakeTimers, newWorld } from './test-device.ts';

function tabs() {
  const world = newWorld();
  const storage = createMemoryStorage();
  const timers = fakeTimers(world);
  const make = () => leaseLocks({ storage, wall: () => world.now, timers, newId: id });
  return { world, storage, timers, first: make(), second: make() };
}

/** A task that runs until the test ends it. */
function longTask() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let lock: LockHandle | null = null;
  return {
    end: () => end(),
    lock: () => lock,
    run: async (granted: LockHandle) => {
      lock = granted;
      await ended;
      return 'done';
    },
  };
}

test('a second holder waits until the first has ended', async () => {
  const { timers, first, second } = tabs();
  const task = longTask();
  const running = first.run('x', task.run);
  await timers.advance(10);
  const order: string[] = [];
  const waiting = second.run('x', async () => order.push('second'));
  await timers.advance(5_000);
  expect(order).toEqual([]);
  task.end();
  await timers.advance(300);
  expect(await running).toEqual({ ran: true, value: 'done' });
  expect(await waiting).toMatchObject({ ran: true });
});

test('a lease is renewed for as long as its task runs', async () => {
  const { timers, first, second } = tabs();
  const task = longTask();
  void first.run('x', task.run);
  await timers.advance(60_000);
  expect(task.lock()?.valid()).toBe(true);
  const refused = second.run('x', async () => 'never');
  await timers.advance(21_000);
  expect(await refused).toEqual({ ran: false });
  task.end();
});

test('row 15: a frozen holder loses its lease at its expiry and detects it', async () => {
  const { world, timers, first, second } = tabs();
  const task = longTask();
  void first.run('x', task.run);
  await timers.advance(10);
  world.now += 20_000;
  expect(task.lock()?.valid()).toBe(false);
  const waiting = second.run('x', async () => 'taken');
  await timers.advance(1);
  expect(await waiting).toEqual({ ran: true, value: 'taken' });
  task.end();
});

test('a lease far in the future, written before the clock was set back, blocks nobody', async () => {
  const { world, storage, timers, second } = tabs();
  await storage.write(['leases'], (tx) =>
    tx.put('leases', { name: 'x', holder: 'other', expiresAt: world.now + 86_400_000 }),
  );
  const waiting = second.run('x', async () => 'taken');
  await timers.advance(1);
  expect(await waiting).toEqual({ ran: true, value: 'taken' });
});

test('row 9: without space for a lease the outbox is sent all the same', async () => {
  const world = newWorld();
  const storage = createMemoryStorage();
  storage.write = () => Promise.reject(new StorageFailure('quota'));
  const timers = fakeTimers(world);
  const locks = leaseLocks({ storage, wall: () => world.now, timers, newId: id });
  expect(await locks.run('x', async () => 1)).toEqual({ ran: true, value: 1 });
});

test('a held lock is refused to others until released', async () => {
  const { timers, first, second } = tabs();
  const release = await first.hold('tab');
  expect(await second.hold('tab')).toBeNull();
  release?.();
  await timers.advance(1);
  expect(await second.hold('tab')).not.toBeNull();
});

test('Web Locks are requested, awaited, and abandoned after a time-out', async () => {
  const world = newWorld();
  const timers = fakeTimers(world);
  const manager: Pick<LockManager, 'request' | 'query'> = {
    query: () => Promise.resolve({}),
    request: ((_name: string, options: LockOptions, callback: LockGrantedCallback<unknown>) =>
      new Promise<unknown>((resolve, reject) => {
        if (options.ifAvailable) resolve(callback(null));
        options.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      })) as unknown as LockManager['request'],
  };
  const locks = webLocks(manager, timers);
  const waiting = locks.run('x', async () => 1);
  await timers.advance(20_001);
  expect(await waiting).toEqual({ ran: false });
  expect(await locks.hold('x')).toBeNull();
});
