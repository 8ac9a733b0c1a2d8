import { describe, expect, test } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { broadcastChannel, leaseLocks, webLocks, type LockHandle } from './environment.ts';
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

test('a lease far in the future, written before the clock was set back, blocks no tab', async () => {
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

test('a lease is another’s until the millisecond of its expiry, and while it is at most two leases ahead', async () => {
  const { world, storage, timers, second } = tabs();
  const given = async (expiresAt: number) => {
    await storage.write(['leases'], (tx) =>
      tx.put('leases', { name: 'x', holder: 'other', expiresAt }),
    );
    const release = await second.hold('x');
    release?.();
    await timers.advance(1);
    return release !== null;
  };
  expect(await given(world.now + 1)).toBe(false);
  expect(await given(world.now)).toBe(true);
  expect(await given(world.now + 30_000)).toBe(false);
  expect(await given(world.now + 30_001)).toBe(true);
});

test('a lease that is renewed late by another’s fault is lost for good, and its end leaves the other’s alone', async () => {
  const { storage, timers, first } = tabs();
  const task = longTask();
  const running = first.run('x', task.run);
  await timers.advance(10);
  const taken = { name: 'x', holder: 'other', expiresAt: Number.MAX_SAFE_INTEGER };
  await storage.write(['leases'], (tx) => tx.put('leases', taken));
  await timers.advance(5_000);
  expect(task.lock()?.valid()).toBe(false);
  await storage.write(['leases'], (tx) => tx.delete('leases', 'x'));
  await timers.advance(5_000);
  expect(task.lock()?.valid()).toBe(false);
  await storage.write(['leases'], (tx) => tx.put('leases', taken));
  task.end();
  await timers.advance(10);
  await running;
  expect(await storage.read(['leases'], (tx) => tx.get('leases', 'x'))).toEqual(taken);
});

test('a lease is invalid after its holder’s clock was set back by more than two leases', async () => {
  const { world, timers, first } = tabs();
  const task = longTask();
  void first.run('x', task.run);
  await timers.advance(10);
  world.now -= 15_010;
  expect(task.lock()?.valid()).toBe(true);
  world.now -= 1;
  expect(task.lock()?.valid()).toBe(false);
  task.end();
});

test('a lease with a refused renewal stays valid until its expiry', async () => {
  const { world, storage, timers, first } = tabs();
  const task = longTask();
  void first.run('x', task.run);
  await timers.advance(10);
  storage.write = () => Promise.reject(new StorageFailure('quota'));
  await timers.advance(5_000);
  expect(task.lock()?.valid()).toBe(true);
  world.now += 9_999;
  expect(task.lock()?.valid()).toBe(false);
  task.end();
});

test('a reloaded tab acquires its own lease again at once', async () => {
  const { world, storage, timers, second } = tabs();
  const named = () =>
    leaseLocks({ storage, wall: () => world.now, timers, newId: id, tabId: 'this tab' });
  expect(await named().hold('tab')).not.toBeNull();
  expect(await named().hold('tab')).not.toBeNull();
  expect(await second.hold('tab')).toBeNull();
});

test('an error that is no failure of the device is no reason to send without a lease', async () => {
  const { storage, first } = tabs();
  storage.write = () => Promise.reject(new TypeError('a bug'));
  await expect(first.run('x', async () => 1)).rejects.toThrow('a bug');
});

test('the end of a failing task frees its lease', async () => {
  const { first, second } = tabs();
  await expect(first.run('x', () => Promise.reject(new Error('task')))).rejects.toThrow('task');
  expect(await second.hold('x')).not.toBeNull();
});

describe('Web Locks', () => {
  /** Grants at once, like a browser without other requests. */
  const granting = {
    query: () => Promise.resolve({}),
    request: ((name: string, _options: LockOptions, callback: LockGrantedCallback<unknown>) =>
      Promise.resolve(callback({ name, mode: 'exclusive' }))) as unknown as LockManager['request'],
  };

  test('a task under the lock may last as long as it will, and leaves no timer', async () => {
    const timers = fakeTimers(newWorld());
    const task = longTask();
    const running = webLocks(granting, timers).run('x', task.run);
    await timers.advance(60_000);
    expect(task.lock()?.valid()).toBe(true);
    task.end();
    expect(await running).toEqual({ ran: true, value: 'done' });
  });

  test('a failing task fails, also after the limit of waiting', async () => {
    const timers = fakeTimers(newWorld());
    const failing = webLocks(granting, timers).run('x', async () => {
      await timers.advance(20_001);
      throw new Error('task');
    });
    await expect(failing).rejects.toThrow('task');
  });

  test('a browser that refuses locks says so at once', async () => {
    const request = () => Promise.reject(new DOMException('insecure', 'SecurityError'));
    const refusing = { ...granting, request: request as LockManager['request'] };
    const locks = webLocks(refusing, fakeTimers(newWorld()));
    await expect(locks.run('x', async () => 1)).rejects.toThrow('insecure');
    await expect(locks.hold('x')).rejects.toThrow('insecure');
  });

  test('a lock is held until its release', async () => {
    let held: Promise<unknown> | null = null;
    const request = ((
      _name: string,
      _options: LockOptions,
      callback: (lock: unknown) => unknown,
    ) => {
      held = Promise.resolve(callback({}));
      return held;
    }) as unknown as LockManager['request'];
    const release = await webLocks({ ...granting, request }, fakeTimers(newWorld())).hold('x');
    let isOver = false;
    void Promise.resolve(held).then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    release?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(true);
  });
});

test('a channel passes on what this version knows, and nothing after its end', () => {
  const port = new EventTarget() as BroadcastChannel;
  const posted: unknown[] = [];
  port.postMessage = (message: unknown) => posted.push(message);
  const channel = broadcastChannel(port);
  const received: unknown[] = [];
  const stop = channel.listen((message) => received.push(message));
  const say = (data: unknown) => port.dispatchEvent(new MessageEvent('message', { data }));
  for (const data of [{ kind: 'wake' }, { kind: 'of a later version' }, null, { kind: 'changed' }])
    say(data);
  say({ kind: 'changed', attemptId: null });
  expect(received).toEqual([{ kind: 'wake' }, { kind: 'changed', attemptId: null }]);
  stop();
  say({ kind: 'wake' });
  expect(received).toHaveLength(2);
  channel.post({ kind: 'sessionChanged' });
  expect(posted).toEqual([{ kind: 'sessionChanged' }]);
});
