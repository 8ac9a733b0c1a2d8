import { expect, test } from 'vitest';
import { watchExpiry } from '#app/app/session-expiry.ts';

const DAY = 86_400_000;

/** A fake clock; `sleep` advances time without firing timers. */
function handClock(start: number) {
  let now = start;
  const timers = new Map<number, { at: number; run: () => void }>();
  let last = 0;
  return {
    waits: [] as number[],
    now: () => now,
    setTimeout(run: () => void, ms: number) {
      last += 1;
      this.waits.push(ms);
      timers.set(last, { at: now + ms, run });
      return last;
    },
    clearTimeout: (timer: number) => void timers.delete(timer),
    sleep: (ms: number) => {
      now += ms;
    },
    advance(ms: number) {
      const until = now + ms;
      for (;;) {
        const due = [...timers]
          .filter(([, { at }]) => at <= until)
          .toSorted((a, b) => a[1].at - b[1].at)[0];
        if (!due) break;
        timers.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].run();
      }
      now = until;
    },
    pending: () => timers.size,
  };
}

test('the session ends exactly at its time, once', () => {
  const clock = handClock(1_000);
  let ended = 0;
  watchExpiry(6_000, clock, () => (ended += 1));
  clock.advance(4_999);
  expect(ended).toBe(0);
  clock.advance(10_000);
  expect(ended).toBe(1);
});

test('a time that has passed ends the session immediately', () => {
  let ended = 0;
  watchExpiry(500, handClock(1_000), () => (ended += 1));
  expect(ended).toBe(1);
});

test('a session longer than the maximum timer delay is not ended at once', () => {
  const clock = handClock(0);
  let ended = 0;
  watchExpiry(60 * DAY, clock, () => (ended += 1));
  expect(Math.max(...clock.waits)).toBeLessThan(2 ** 31);
  clock.advance(59 * DAY);
  expect(ended).toBe(0);
  clock.advance(DAY);
  expect(ended).toBe(1);
});

test('after a sleep with suspended timers the check at wake-up ends it', () => {
  const clock = handClock(0);
  let ended = 0;
  const watch = watchExpiry(5_000, clock, () => (ended += 1));
  clock.sleep(60_000);
  watch.check();
  expect(ended).toBe(1);
  expect(clock.pending()).toBe(0);
});

test('a stopped watch does not call back', () => {
  const clock = handClock(0);
  let ended = 0;
  const watch = watchExpiry(5_000, clock, () => (ended += 1));
  watch.stop();
  clock.advance(10_000);
  watch.check();
  expect(ended).toBe(0);
});
