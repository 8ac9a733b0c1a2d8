import { expect, test } from 'vitest';
import { createLockHouse } from './locks.ts';
import { createPower } from './power.ts';
import { createRandom } from './random.ts';
import { createDeviceClock, createTimeline } from './timeline.ts';

test('a seed draws the same again, and a fork is not moved by more draws', () => {
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

test('time runs what is due on the way, in order, at its moment', () => {
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

test('a device’s wall clock may be set, and its monotone one stops in sleep', () => {
  const timeline = createTimeline(0);
  const clock = createDeviceClock(timeline, 500);
  timeline.advance(100);
  clock.shift(-1_000);
  expect([clock.wall(), clock.monotone()]).toEqual([-400, 100]);
  timeline.advance(50);
  clock.slept(50);
  expect([clock.wall(), clock.monotone()]).toEqual([-350, 100]);
});

test('the power goes at the step it is set to, and all pages with it, once', () => {
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

test('a lock goes from tab to tab, and a dead one lets go', async () => {
  const house = createLockHouse();
  const [a, b] = [{}, {}];
  const order: string[] = [];
  void house.managerOf(a).request('outbox', () => new Promise(() => order.push('a')));
  const second = house.managerOf(b).request('outbox', async () => order.push('b'));
  const refused = await house
    .managerOf(b)
    .request('outbox', { ifAvailable: true }, async (lock) => lock === null);
  expect(refused).toBe(true);
  expect(order).toEqual(['a']);
  house.release(a);
  await second;
  expect(order).toEqual(['a', 'b']);
});

test('who waits for a lock may give up', async () => {
  const house = createLockHouse();
  void house.managerOf({}).request('outbox', () => new Promise(() => undefined));
  const patience = new AbortController();
  const waiting = house
    .managerOf({})
    .request('outbox', { signal: patience.signal }, async () => 'taken');
  patience.abort();
  await expect(waiting).rejects.toThrow('given up');
});
