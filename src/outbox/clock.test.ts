import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ageOf,
  createTimekeeper,
  mergeClocks,
  NEW_CLOCK,
  seeElapsed,
  seeReply,
  seeWall,
} from './clock.ts';

const DAY = 86_400_000;
const T0 = Date.parse('2026-05-21T07:00:00.000Z');
const known = { ...NEW_CLOCK, offset: 5_000, offsetRtt: 40, offsetAt: T0, lastWall: T0 };

function device(wall: number) {
  const at = { wall, monotone: 0 };
  const pass = (ms: number): void => {
    at.wall += ms;
    at.monotone += ms;
  };
  return { at, pass, clock: { wall: () => at.wall, monotone: () => at.monotone } };
}

test('the smallest round trip gives the offset; a slower reply does not spoil it', () => {
  const first = seeReply(NEW_CLOCK, { serverTime: T0 + 1_000, receivedWall: T0, rttMs: 400 });
  expect(first.offset).toBe(1_200);
  const better = seeReply(first, { serverTime: T0 + 2_010, receivedWall: T0 + 1_000, rttMs: 20 });
  expect(better.offset).toBe(1_020);
  const worse = seeReply(better, {
    serverTime: T0 + 2_500,
    receivedWall: T0 + 2_000,
    rttMs: 3_000,
  });
  expect(worse.offset).toBe(1_020);
  expect(worse.seenServerTime).toBe(T0 + 2_500);
});

test('an old measurement gives way to a slower new one, since clocks drift', () => {
  const later = T0 + 3_600_000;
  const clock = seeReply(known, { serverTime: later + 5_300, receivedWall: later, rttMs: 200 });
  expect(clock.offset).toBe(5_400);
});

test('row 14: a jump beyond 30 s in a reply begins a new era with the new offset', () => {
  const clock = seeReply(known, { serverTime: T0, receivedWall: T0 + DAY, rttMs: 10 });
  expect(clock).toMatchObject({ era: 1, offset: -DAY + 5, lastWall: T0 + DAY });
  expect(ageOf(clock, { era: 0, wall: T0 }, T0 + DAY)).toBe('unknown');
});

test('row 14: a clock set back across a reload breaks the timeline, and server time does not go back', () => {
  const clock = seeWall(known, T0 - DAY);
  expect(clock.era).toBe(1);
  expect(T0 - DAY + (clock.offset ?? 0)).toBe(T0 + 5_000);
});

test('row 14: a clock set back within a page is noticed and time goes on', () => {
  const { at, pass, clock } = device(T0);
  const keeper = createTimekeeper(clock);
  keeper.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
  const written = { era: keeper.now().era, wall: at.wall };
  pass(60_000);
  expect(keeper.age(written)).toBe(60_000);
  at.wall -= DAY;
  pass(1_000);
  expect(keeper.serverNow()).toBe(T0 + 61_000);
  expect(keeper.age(written)).toBe('unknown');
});

test('row 14: a clock set forward is believed until the server speaks, then the display is right', () => {
  const { at, pass, clock } = device(T0);
  const keeper = createTimekeeper(clock);
  keeper.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
  at.wall += DAY;
  expect(keeper.serverNow()).toBe(T0 + DAY);
  pass(1_000);
  keeper.observe({ serverTime: T0 + 1_000, receivedWall: at.wall, rttMs: 0 });
  expect(keeper.serverNow()).toBe(T0 + 1_000);
});

test('row 15: sleep stops the monotone clock, and time left is right at wake-up', () => {
  const { at, clock } = device(T0);
  const keeper = createTimekeeper(clock);
  keeper.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
  const written = { era: keeper.now().era, wall: at.wall };
  at.wall += 1_800_000;
  expect(keeper.serverNow()).toBe(T0 + 1_800_000);
  expect(keeper.age(written)).toBe(1_800_000);
});

test('server time never goes back within an era, however the offset is refined', () => {
  const { at, clock } = device(T0);
  const keeper = createTimekeeper(clock);
  keeper.observe({ serverTime: T0 + 900, receivedWall: at.wall, rttMs: 200 });
  const before = keeper.serverNow() ?? 0;
  keeper.observe({ serverTime: T0 + 100, receivedWall: at.wall, rttMs: 2 });
  expect(keeper.serverNow()).toBe(before);
});

test('a reload offline goes on with the persisted offset', () => {
  const { clock } = device(T0 + 600_000);
  const keeper = createTimekeeper(clock);
  keeper.adopt(known);
  expect(keeper.serverNow()).toBe(T0 + 605_000);
  expect(keeper.age({ era: 0, wall: T0 })).toBe(600_000);
});

test('joining with another page’s clock takes the later era and the newest seen time', () => {
  const mine = { ...known, era: 2, seenServerTime: 10 };
  const stored = { ...known, era: 3, offset: 7, seenServerTime: 5 };
  expect(mergeClocks(mine, stored)).toMatchObject({ era: 3, offset: 7, seenServerTime: 10 });
  expect(mergeClocks(NEW_CLOCK, known).offset).toBe(5_000);
});

test('while nobody touches the clock, ages equal the time that passed, over reloads and sleep', () => {
  const step = fc.record({
    ms: fc.integer({ min: 0, max: 600_000 }),
    kind: fc.constantFrom('run', 'sleep', 'reload'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let world = device(T0);
      let keeper = createTimekeeper(world.clock);
      keeper.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
      const written = { era: keeper.now().era, wall: T0 };
      for (const { ms, kind } of steps) {
        if (kind === 'sleep') world.at.wall += ms;
        else world.pass(ms);
        if (kind !== 'reload') continue;
        const stored = keeper.now();
        world = device(world.at.wall);
        keeper = createTimekeeper(world.clock);
        keeper.adopt(stored);
      }
      const passed = steps.reduce((sum, one) => sum + one.ms, 0);
      expect(keeper.age(written)).toBe(passed);
      expect(keeper.serverNow()).toBe(T0 + passed);
    }),
  );
});

test('small jitter of the wall clock is no change of it', () => {
  const jitter = seeElapsed(known, { wall: T0, monotone: 0 }, { wall: T0 + 500, monotone: 1_500 });
  expect(jitter.era).toBe(0);
});

test('row 14: between tabs what was measured beats what was only carried over a jump', () => {
  const measured = { ...NEW_CLOCK, era: 2, offset: 1_000, offsetRtt: 100, offsetAt: 50_000 };
  const carried = { ...NEW_CLOCK, era: 2, offset: 40_000, offsetRtt: 30_000, offsetAt: 60_000 };
  expect(mergeClocks(carried, measured).offset).toBe(1_000);
  expect(mergeClocks(measured, carried).offset).toBe(1_000);
});
