import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ageOf,
  createOutboxClock,
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

test('an old measurement is replaced by a slower new one, since clocks drift', () => {
  const later = T0 + 3_600_000;
  const clock = seeReply(known, { serverTime: later + 5_300, receivedWall: later, rttMs: 200 });
  expect(clock.offset).toBe(5_400);
});

test('row 14: a jump beyond 30 s in a reply begins a new era with the new offset', () => {
  const clock = seeReply(known, { serverTime: T0, receivedWall: T0 + DAY, rttMs: 10 });
  expect(clock).toMatchObject({ era: 1, offset: -DAY + 5, lastWall: T0 + DAY });
  expect(ageOf(clock, { era: 0, wall: T0 }, T0 + DAY)).toBe('unknown');
});

test('row 14: a clock set back across a reload interrupts the timeline, and server time does not go back', () => {
  const clock = seeWall(known, T0 - DAY);
  expect(clock.era).toBe(1);
  expect(T0 - DAY + (clock.offset ?? 0)).toBe(T0 + 5_000);
});

test('row 14: a clock set back within a page is detected and server time continues', () => {
  const { at, pass, clock } = device(T0);
  const outboxClock = createOutboxClock(clock);
  outboxClock.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
  const written = { era: outboxClock.now().era, wall: at.wall };
  pass(60_000);
  expect(outboxClock.age(written)).toBe(60_000);
  at.wall -= DAY;
  pass(1_000);
  expect(outboxClock.serverNow()).toBe(T0 + 61_000);
  expect(outboxClock.measuredNow()).toBeNull();
  expect(outboxClock.age(written)).toBe('unknown');
  outboxClock.observe({ serverTime: T0 + 61_000, receivedWall: at.wall, rttMs: 0 });
  expect(outboxClock.measuredNow()).toBe(T0 + 61_000);
});

test('row 14: a clock set forward is believed until the server replies, then the display is correct', () => {
  const { at, pass, clock } = device(T0);
  const outboxClock = createOutboxClock(clock);
  outboxClock.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
  at.wall += DAY;
  expect(outboxClock.serverNow()).toBe(T0 + DAY);
  pass(1_000);
  outboxClock.observe({ serverTime: T0 + 1_000, receivedWall: at.wall, rttMs: 0 });
  expect(outboxClock.serverNow()).toBe(T0 + 1_000);
});

test('row 15: sleep stops the monotonic clock, and the remaining time is correct at wake-up', () => {
  const { at, clock } = device(T0);
  const outboxClock = createOutboxClock(clock);
  outboxClock.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
  const written = { era: outboxClock.now().era, wall: at.wall };
  at.wall += 1_800_000;
  expect(outboxClock.serverNow()).toBe(T0 + 1_800_000);
  expect(outboxClock.age(written)).toBe(1_800_000);
});

test('server time never goes back within an era, however the offset is refined', () => {
  const { at, clock } = device(T0);
  const outboxClock = createOutboxClock(clock);
  outboxClock.observe({ serverTime: T0 + 900, receivedWall: at.wall, rttMs: 200 });
  const before = outboxClock.serverNow() ?? 0;
  outboxClock.observe({ serverTime: T0 + 100, receivedWall: at.wall, rttMs: 2 });
  expect(outboxClock.serverNow()).toBe(before);
});

test('an offline reload uses the persisted offset', () => {
  const { clock } = device(T0 + 600_000);
  const outboxClock = createOutboxClock(clock);
  outboxClock.adopt(known);
  expect(outboxClock.serverNow()).toBe(T0 + 605_000);
  expect(outboxClock.age({ era: 0, wall: T0 })).toBe(600_000);
});

test('merging with another page’s clock uses the later era and the newest seen time', () => {
  const own = { ...known, era: 2, seenServerTime: 10 };
  const stored = { ...known, era: 3, offset: 7, seenServerTime: 5 };
  expect(mergeClocks(own, stored)).toMatchObject({ era: 3, offset: 7, seenServerTime: 10 });
  expect(mergeClocks(NEW_CLOCK, known).offset).toBe(5_000);
});

test('while the clock is not changed, ages equal the elapsed time, over reloads and sleep', () => {
  const step = fc.record({
    ms: fc.integer({ min: 0, max: 600_000 }),
    kind: fc.constantFrom('run', 'sleep', 'reload'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let world = device(T0);
      let outboxClock = createOutboxClock(world.clock);
      outboxClock.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
      const written = { era: outboxClock.now().era, wall: T0 };
      for (const { ms, kind } of steps) {
        if (kind === 'sleep') world.at.wall += ms;
        else world.pass(ms);
        if (kind !== 'reload') continue;
        const stored = outboxClock.now();
        world = device(world.at.wall);
        outboxClock = createOutboxClock(world.clock);
        outboxClock.adopt(stored);
      }
      const passed = steps.reduce((sum, one) => sum + one.ms, 0);
      expect(outboxClock.age(written)).toBe(passed);
      expect(outboxClock.serverNow()).toBe(T0 + passed);
    }),
  );
});

test('small jitter of the wall clock is not a clock change', () => {
  const jitter = seeElapsed(known, { wall: T0, monotone: 0 }, { wall: T0 + 500, monotone: 1_500 });
  expect(jitter.era).toBe(0);
});

test('row 14: between tabs a measured offset beats one only carried over a jump', () => {
  const measured = { ...NEW_CLOCK, era: 2, offset: 1_000, offsetRtt: 100, offsetAt: 50_000 };
  const carried = { ...NEW_CLOCK, era: 2, offset: 40_000, offsetRtt: 30_000, offsetAt: 60_000 };
  expect(mergeClocks(carried, measured).offset).toBe(1_000);
  expect(mergeClocks(measured, carried).offset).toBe(1_000);
});

test('row 14: up to two seconds behind the seen wall clock is jitter, more is a set-back', () => {
  expect(seeWall(known, T0 - 2_000)).toEqual(known);
  expect(seeWall(known, T0 - 2_001)).toMatchObject({ era: 1, lastWall: T0 - 2_001 });
  expect(seeWall(known, T0 + 10).lastWall).toBe(T0 + 10);
});

test('row 14: a clock that lost more than two seconds within a page interrupts the timeline, not the server time', () => {
  const from = { wall: T0, monotone: 1_000 };
  const after = (wall: number) => seeElapsed(known, from, { wall, monotone: 61_000 });
  expect(after(T0 + 58_000)).toMatchObject({ era: 0, offset: 5_000 });
  expect(after(T0 + 57_999)).toMatchObject({ era: 1, offset: 5_000 + 2_001 });
});

test('the newest server time seen stays the newest, whichever reply comes later', () => {
  const clock = seeReply(
    { ...known, seenServerTime: T0 + 9_000 },
    { serverTime: T0 + 5_000, receivedWall: T0 - 10, rttMs: 0 },
  );
  expect(clock).toMatchObject({ seenServerTime: T0 + 9_000, lastWall: T0 });
});

test.each([
  [30_000, 0],
  [30_001, 1],
  [-30_000, 0],
  [-30_001, 1],
])('row 14: an offset that moved by %d ms leaves era %d', (by, era) => {
  const reply = { serverTime: T0 + 25_000 + by, receivedWall: T0, rttMs: 0 };
  expect(seeReply({ ...known, offset: 25_000 }, reply).era).toBe(era);
});

test('of two equally good measurements the newer one gives the offset', () => {
  const reply = { serverTime: T0 + 5_980, receivedWall: T0, rttMs: 40 };
  expect(seeReply(known, reply).offset).toBe(6_000);
});

test('between tabs the later era wins as a whole; seen times and wall clocks are merged', () => {
  const later = { ...known, era: 3, offset: 7, offsetRtt: 400 };
  expect(mergeClocks(later, known)).toEqual(later);
  expect(mergeClocks(known, later)).toEqual(later);
  expect(mergeClocks(known, { ...known, seenServerTime: 9 }).seenServerTime).toBe(9);
  expect(mergeClocks({ ...known, seenServerTime: 9 }, known).seenServerTime).toBe(9);
  expect(mergeClocks(known, { ...known, lastWall: T0 + 9 }).lastWall).toBe(T0 + 9);
  expect(mergeClocks({ ...known, lastWall: T0 + 9 }, known).lastWall).toBe(T0 + 9);
});

test('between tabs an old measurement is replaced by a fresh, somewhat slower one', () => {
  const fresh = { ...known, offset: 6_000, offsetRtt: 200, offsetAt: T0 + 3_600_000 };
  expect(mergeClocks(known, fresh).offset).toBe(6_000);
  expect(mergeClocks(fresh, known).offset).toBe(6_000);
  const equal = { ...known, offset: 6_000 };
  expect(mergeClocks(known, equal).offset, 'equally good: its own stays').toBe(5_000);
});

test.each([
  [-2_001, 'unknown'],
  [-2_000, 0],
  [0.4, 0],
  [0.6, 1],
])('an age of %d ms is reported as %s', (age, expected) => {
  expect(ageOf(known, { era: 0, wall: T0 - age }, T0)).toBe(expected);
});

test('before the first reply there is no server time, but a wall clock', () => {
  const { clock } = device(T0);
  const outboxClock = createOutboxClock(clock);
  expect(outboxClock.serverNow()).toBeNull();
  expect(outboxClock.wall()).toBe(T0);
});

test('a page’s measurement is not replaced by a worse one of another page', () => {
  const outboxClock = createOutboxClock(device(T0).clock);
  outboxClock.observe({ serverTime: T0 + 1_000, receivedWall: T0, rttMs: 0 });
  outboxClock.adopt(known);
  expect(outboxClock.serverNow()).toBe(T0 + 1_000);
});

test('row 14: a clock set back before the stored one was read does not change the server time', () => {
  const { at, clock } = device(T0);
  const outboxClock = createOutboxClock(clock);
  at.wall -= DAY;
  outboxClock.adopt(known);
  expect(outboxClock.serverNow()).toBe(T0 + 5_000);
  expect(outboxClock.age({ era: 0, wall: T0 })).toBe('unknown');
});

test('row 14: pages that counted different clock changes as one era agree on a new era and on the true time', () => {
  const world = device(T0);
  const first = createOutboxClock(world.clock);
  const second = createOutboxClock(world.clock);
  const reply = (page: typeof first) =>
    page.observe({ serverTime: T0 + world.at.monotone, receivedWall: world.at.wall, rttMs: 0 });
  for (const page of [first, second]) reply(page);
  // Only the first page notices that the clock is set back; none notices that it is set forward.
  world.at.wall -= DAY;
  world.pass(1_000);
  const written = { era: first.now().era, wall: first.wall() };
  world.at.wall += 3 * DAY;
  world.pass(1_000);
  expect(first.serverNow()).toBeGreaterThan(T0 + DAY);
  reply(second);
  expect(second.now().era, 'the same number for another timeline').toBe(written.era);
  second.adopt(first.now());
  first.adopt(second.now());
  for (const page of [first, second]) {
    expect(page.serverNow()).toBe(T0 + 2_000);
    expect(page.age(written)).toBe('unknown');
  }
});

test('row 14: of two timelines with one number the latest measured one is true', () => {
  const carried = {
    ...known,
    offset: DAY,
    offsetRtt: 30_000,
    offsetAt: T0 + DAY,
    lastWall: T0 + DAY,
  };
  const later = { ...known, offset: -DAY, offsetAt: T0 + DAY + 1, lastWall: T0 + DAY + 1 };
  const earlier = { ...known, offset: DAY, offsetAt: T0 - DAY, lastWall: T0 + 9 * DAY };
  for (const other of [carried, earlier]) {
    for (const merged of [mergeClocks(later, other), mergeClocks(other, later)]) {
      expect(merged).toEqual({ ...later, era: 1 });
    }
  }
  expect(mergeClocks(known, { ...known, offset: 35_000 }).era).toBe(0);
  expect(mergeClocks(known, { ...known, offset: 35_001 }).era).toBe(1);
});

test('row 14: the clock of a page that noticed a change there and not back does not replace a measured one', () => {
  const world = device(T0);
  const first = createOutboxClock(world.clock);
  const second = createOutboxClock(world.clock);
  const reply = (page: typeof first) =>
    page.observe({ serverTime: T0 + world.at.monotone, receivedWall: world.at.wall, rttMs: 0 });
  for (const page of [first, second]) reply(page);
  world.at.wall -= DAY;
  world.pass(1_000);
  const stored = second.now();
  expect(stored.era).toBe(1);
  world.at.wall += DAY;
  world.pass(1_000);
  reply(first);
  first.adopt(stored);
  expect(first.serverNow()).toBe(T0 + 2_000);
  expect(first.now().era, 'no timeline that another page counts').toBeGreaterThan(1);
});

test('row 14: a reply that is too slow to measure by still says which page’s time is true', () => {
  const world = device(T0);
  const page = createOutboxClock(world.clock);
  page.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
  // Another page received the time while the clock was set back for a while, later than this page measured it.
  const stored = { ...known, era: 1, offset: DAY, offsetAt: T0 - DAY + 1_000, lastWall: T0 - DAY };
  world.pass(2_000);
  page.observe({ serverTime: T0 + 1_900, receivedWall: T0 + 2_000, rttMs: 200 });
  page.adopt({ ...stored, seenServerTime: T0 + 1_000 });
  expect(page.serverNow()).toBe(T0 + 2_000);
});

test('row 14: a page that counted on over a change is not set back to what was stored before it', () => {
  const world = device(T0);
  const first = createOutboxClock(world.clock);
  first.observe({ serverTime: T0, receivedWall: T0, rttMs: 0 });
  const stored = { ...first.now(), era: 1 };
  world.pass(20_000);
  world.at.wall -= DAY;
  world.pass(5_000);
  first.now();
  first.adopt(stored);
  expect(first.serverNow()).toBe(T0 + 25_000);
});

test('a school clock set back is known to both pages after a reply to one, and not reverted by the other', () => {
  const first = seeReply(NEW_CLOCK, { serverTime: T0, receivedWall: T0, rttMs: 20 });
  const setBack = { serverTime: T0 + 12_000 - 300_000, receivedWall: T0 + 12_000, rttMs: 20 };
  const corrected = seeReply(first, setBack);
  expect(corrected.offset).toBe(first.offset! - 300_000);
  // The page that had no reply since stores its clock with the next answer.
  const old = seeWall(first, T0 + 30_000);
  expect(mergeClocks(old, corrected).offset).toBe(corrected.offset);
  expect(mergeClocks(corrected, old).offset).toBe(corrected.offset);
  // A new reply makes it newer than a clock with an earlier reply.
  const again = seeReply(old, { serverTime: T0 + 40_000, receivedWall: T0 + 40_000, rttMs: 20 });
  expect(mergeClocks(again, corrected).offset).toBe(again.offset);
});

test('row 14: whatever is done to the clock of two pages, after a reply and an exchange time and ages are true or unknown', () => {
  const step = fc.record({
    kind: fc.constantFrom('set', 'pass', 'sleep', 'look', 'reply', 'write', 'exchange'),
    page: fc.nat(1),
    minutes: fc.integer({ min: 2, max: 2_000 }),
    isBack: fc.boolean(),
    rttMs: fc.constantFrom(0, 40, 400),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const world = device(T0);
      let truth = T0;
      const pages = [createOutboxClock(world.clock), createOutboxClock(world.clock)] as const;
      let stored: ReturnType<typeof mergeClocks> | null = null;
      const exchange = (page: (typeof pages)[number]) => {
        if (stored) page.adopt(stored);
        stored = page.now();
      };
      const reply = (page: (typeof pages)[number], rttMs = 0) => {
        const serverTime = truth + 1 + rttMs / 2;
        world.pass(rttMs + 1);
        truth += rttMs + 1;
        page.observe({ serverTime, receivedWall: world.at.wall, rttMs });
        exchange(page);
      };
      const writes: { moment: { era: number; wall: number }; at: number }[] = [];
      for (const page of pages) reply(page);
      for (const { kind, page: index, minutes, isBack, rttMs } of steps) {
        const page = pages[index as 0 | 1];
        const ms = minutes * 60_000;
        if (kind === 'set') world.at.wall += isBack ? -ms : ms;
        if (kind === 'pass') world.pass(ms);
        if (kind === 'sleep') world.at.wall += ms;
        if (kind === 'pass' || kind === 'sleep') truth += ms;
        if (kind === 'look') page.serverNow();
        if (kind === 'reply') {
          reply(page, rttMs);
          const error = Math.abs((page.serverNow() ?? 0) - truth);
          expect(error, 'right after a reply').toBeLessThanOrEqual(2_000);
        }
        if (kind === 'exchange') exchange(page);
        if (kind !== 'write') continue;
        exchange(page);
        writes.push({ moment: { era: page.now().era, wall: world.at.wall }, at: truth });
      }
      for (const page of [...pages, ...pages]) {
        exchange(page);
        reply(page);
      }
      for (const page of pages) {
        expect(Math.abs((page.serverNow() ?? 0) - truth)).toBeLessThanOrEqual(2_000);
        for (const { moment, at } of writes) {
          const age = page.age(moment);
          if (age !== 'unknown') expect(Math.abs(age - (truth - at))).toBeLessThanOrEqual(2_000);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
