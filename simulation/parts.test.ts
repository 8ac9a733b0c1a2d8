import { expect, test } from 'vitest';
import { createLockRegistry } from './locks.ts';
import { createPower } from './power.ts';
import { createRandom } from './random.ts';
import { createDeviceClock, createTimeline } from './timeline.ts';

test('a seed repeats its draws, and a fork is not affected by more draws', () => {
  const draws = (more: number) => {
    const random = createRandom(7);
    const fork = random.fork('page');
    for (let i = 0; i < more; i += 1) random.next();
    return [fork.uuid(), fork.int(1_000), fork.pick(['a', 'b', 'c'])];
  };
  expect(draws(0)).toEqual(draws(5));
  expect(createRandom(8).uuid()).not.toBe(createRandom(7).uuid());
  expect(createRandom(7).uuid()).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('items of weight 0 are never drawn', () => {
  const random = createRandom(3);
  const drawn = Array.from({ length: 200 }, () =>
    random.weighted([
      [0, 'never'],
      [1, 'now and then'],
      [3, 'often'],
      [0, 'nor this'],
    ]),
  );
  expect(new Set(drawn)).toEqual(new Set(['now and then', 'often']));
});

test('advancing time runs due timers in order, at their time', () => {
  const timeline = createTimeline(1_000);
  const seen: [string, number][] = [];
  timeline.set(() => seen.push(['b', timeline.now()]), 200);
  timeline.set(() => {
    seen.push(['a', timeline.now()]);
    timeline.set(() => seen.push(['c', timeline.now()]), 150);
  }, 100);
  timeline.clear(timeline.set(() => seen.push(['never', 0]), 50));
  timeline.advance(1_000);
  expect(seen).toEqual([
    ['a', 1_100],
    ['b', 1_200],
    ['c', 1_250],
  ]);
  expect(timeline.now()).toBe(2_000);
});

test('a device’s wall clock may be set, and its monotonic one stops in sleep', () => {
  const timeline = createTimeline(0);
  const clock = createDeviceClock(timeline, 500);
  timeline.advance(100);
  clock.shift(-1_000);
  expect([clock.wall(), clock.monotone()]).toEqual([-400, 100]);
  timeline.advance(50);
  clock.slept(50);
  expect([clock.wall(), clock.monotone()]).toEqual([-350, 100]);
});

test('the power is cut once at the scheduled step, which kills all pages', () => {
  const power = createPower();
  const dead: string[] = [];
  power.connect(() => dead.push('a'));
  power.connect(() => dead.push('b'))();
  expect([power.spend(), power.wentOut()]).toEqual([false, false]);
  power.cutAfter(2);
  expect([power.spend(), power.spend(), power.spend()]).toEqual([false, true, false]);
  expect(dead).toEqual(['a']);
  expect([power.wentOut(), power.wentOut()]).toEqual([true, false]);
});

test('a lock goes from tab to tab, and a killed one releases it', async () => {
  const registry = createLockRegistry();
  const [a, b] = [{}, {}];
  const order: string[] = [];
  void registry.managerOf(a).request('outbox', () => new Promise(() => order.push('a')));
  const second = registry.managerOf(b).request('outbox', async () => order.push('b'));
  const refused = await registry
    .managerOf(b)
    .request('outbox', { ifAvailable: true }, async (lock) => lock === null);
  expect(refused).toBe(true);
  expect(order).toEqual(['a']);
  registry.release(a);
  await second;
  expect(order).toEqual(['a', 'b']);
});

test('waiting for a lock can be aborted', async () => {
  const registry = createLockRegistry();
  void registry.managerOf({}).request('outbox', () => new Promise(() => undefined));
  const waitLimit = new AbortController();
  const waiting = registry
    .managerOf({})
    .request('outbox', { signal: waitLimit.signal }, async () => 'taken');
  waitLimit.abort();
  await expect(waiting).rejects.toThrow('given up');
});
