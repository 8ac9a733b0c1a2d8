import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  attemptState,
  closesAt,
  initialDeadline,
  isEnded,
  isFinishOf,
  movedDeadline,
  remainingMs,
} from './deadline.ts';
import { testClosedAt } from './visibility.ts';
import { judgeArrival, writtenAt, type ArrivalContext } from './lateness.ts';

const MINUTE = 60_000;
const deadline = 100 * MINUTE;
const time = { deadline, windowMs: 15 * MINUTE };
const running: ArrivalContext = {
  time,
  epoch: 1,
  streamBeganAt: 0,
  finish: null,
  resultVisible: false,
};
const arrival = (
  receivedAt: number,
  ageMs: number | 'unknown',
  seenServerTime: number | null = null,
) => ({
  receivedAt,
  ageMs,
  seenServerTime,
});

describe('deadline', () => {
  test('is start + pass time + extra time, capped by the end of the test', () => {
    const terms = { startedAt: 0, passMs: 40 * MINUTE, extraMs: 10 * MINUTE };
    expect(initialDeadline({ ...terms, testEnd: null })).toBe(50 * MINUTE);
    expect(initialDeadline({ ...terms, testEnd: 30 * MINUTE })).toBe(30 * MINUTE);
  });

  test('state is 1 until the deadline and 2 from it on; 0 without an attempt', () => {
    const open = { ...time, endedAt: null };
    expect(attemptState(null, 0)).toBe(0);
    expect(attemptState(open, deadline - 1)).toBe(1);
    expect(attemptState(open, deadline)).toBe(2);
    expect(attemptState({ ...open, endedAt: 5 }, 6)).toBe(2);
    expect(remainingMs(open, deadline - 5)).toBe(5);
    expect(remainingMs(open, deadline + 5)).toBe(0);
  });

  test('nothing shows before finished or closed; the server closes after at least 60 s', () => {
    const open = { ...time, endedAt: null };
    expect(isEnded(open, closesAt(time) - 1)).toBe(false);
    expect(isEnded(open, closesAt(time))).toBe(true);
    expect(isEnded({ ...open, endedAt: 5 }, 6)).toBe(true);
    expect(closesAt({ deadline, windowMs: 0 })).toBe(deadline + MINUTE);
  });

  test.each([
    ['came and was written at it', 0, 0, true],
    ['was written as early as clocks differ', 5, -0.5, true],
    ['was written at an unknown time', 0, null, true],
    ['was written before it, and came after it', 5, -0.6, false],
    ['came before it, written at an unknown time', -1, null, false],
  ])('an automatic finish that %s: %d, %j min: %s', (_, received, written, expected) => {
    const receivedAt = deadline + received * MINUTE;
    const writtenAt = written === null ? null : deadline + written * MINUTE;
    expect(isFinishOf(deadline, { receivedAt, writtenAt })).toBe(expected);
  });

  test('never becomes earlier', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer(), fc.nat(), (old, added, now) => {
        expect(movedDeadline(old, added, now)).toBeGreaterThanOrEqual(old);
      }),
    );
  });
});

describe('lateness', () => {
  test.each([
    [deadline + MINUTE, 0, { outcome: 'stored', receivedLate: false }],
    [deadline + MINUTE + 1, 2, { outcome: 'stored', receivedLate: true }],
    [deadline + MINUTE + 1, 1, { outcome: 'held', receivedLate: true }],
    [deadline + 15 * MINUTE, 'unknown' as const, { outcome: 'stored', receivedLate: true }],
    [deadline + 15 * MINUTE + 1, 20 * MINUTE, { outcome: 'held', receivedLate: true }],
    [deadline + 15 * MINUTE + 1, 'unknown' as const, { outcome: 'held', receivedLate: true }],
  ])('received at %i with age %s', (receivedAt, ageMs, expected) => {
    expect(judgeArrival(arrival(receivedAt, ageMs), running)).toMatchObject(expected);
  });

  test('an age is believed from a minute before its stream began, and the answer counts by it', () => {
    const began = { ...running, streamBeganAt: 50 * MINUTE };
    const at = deadline + 5 * MINUTE;
    const judge = (written: number) => judgeArrival(arrival(at, at - written), began);
    const stored = { outcome: 'stored', receivedLate: true };
    expect(judge(50 * MINUTE)).toEqual({ ...stored, writtenAt: 50 * MINUTE });
    expect(judge(49 * MINUTE)).toEqual({ ...stored, writtenAt: 49 * MINUTE });
    const forged = { outcome: 'held', receivedLate: true, writtenAt: null };
    expect(judge(49 * MINUTE - 1)).toEqual(forged);
    expect(judgeArrival(arrival(at, 'unknown'), began)).toEqual({ ...stored, writtenAt: null });
  });

  test('the time of writing is never before the server time the device had seen, nor after receipt', () => {
    expect(writtenAt(arrival(100, 60, null))).toBe(40);
    expect(writtenAt(arrival(100, 60, 70))).toBe(70);
    expect(writtenAt(arrival(100, 60, 500))).toBe(100);
    expect(writtenAt(arrival(100, 'unknown', 70))).toBeNull();
  });

  test('an unbelieved age never makes an answer count that would not without it', () => {
    const times = fc.nat({ max: 140 * MINUTE });
    fc.assert(
      fc.property(
        fc.record({
          receivedAt: times,
          age: times,
          streamBeganAt: times,
          finish: fc.option(fc.record({ receivedAt: times, epoch: fc.nat({ max: 2 }) })),
          resultVisible: fc.boolean(),
        }),
        ({ receivedAt, age, ...rest }) => {
          const context = { ...running, ...rest };
          const claimed = judgeArrival(arrival(receivedAt, age), context);
          const isForged = receivedAt - age < rest.streamBeganAt - MINUTE;
          if (!isForged) return;
          const plain = judgeArrival(arrival(receivedAt, 0), context);
          expect(claimed).toEqual({ ...plain, writtenAt: null });
        },
      ),
    );
  });

  test('no answer received once a result could be seen counts by itself', () => {
    const ages = fc.oneof(fc.nat(), fc.constant('unknown' as const));
    fc.assert(
      fc.property(fc.nat(), ages, fc.option(fc.nat()), fc.nat(), (at, age, seen, epoch) => {
        const context = { ...running, epoch, resultVisible: true };
        expect(judgeArrival(arrival(at, age, seen), context).outcome).toBe('held');
      }),
    );
  });

  test('«after the test closes» shows nothing before an answer’s own window is past', () => {
    fc.assert(
      fc.property(fc.nat({ max: 60 }), fc.nat({ max: 60 }), (windowMinutes, later) => {
        const own = { deadline, windowMs: windowMinutes * MINUTE };
        const latestClose = closesAt(own) + later * MINUTE;
        const closedAt = testClosedAt({ archived: true, testEnd: null, latestClose, windowMs: 0 });
        const verdict = judgeArrival(arrival((closedAt ?? 0) + 1, later * MINUTE), {
          ...running,
          time: own,
        });
        expect(verdict.outcome).toBe('held');
      }),
    );
  });

  test('an answer received before the deadline always counts, whatever a device reports', () => {
    const ages = fc.oneof(fc.nat(), fc.constant('unknown' as const));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: deadline }),
        ages,
        fc.option(fc.nat()),
        (at, age, seen) => {
          expect(judgeArrival(arrival(at, age, seen), running)).toMatchObject({
            outcome: 'stored',
            receivedLate: false,
          });
        },
      ),
    );
  });

  test('after a finish only an earlier stream’s answers written before it count', () => {
    const finish = { receivedAt: 50 * MINUTE, epoch: 2 };
    const at = 55 * MINUTE;
    const outcome = (age: number | 'unknown', context: Partial<ArrivalContext> = {}) =>
      judgeArrival(arrival(at, age), { ...running, finish, ...context }).outcome;
    expect(outcome(6 * MINUTE)).toBe('stored');
    expect(outcome(4 * MINUTE)).toBe('held');
    expect(outcome('unknown')).toBe('held');
    expect(outcome(6 * MINUTE, { epoch: 2 })).toBe('held');
    expect(outcome(5 * MINUTE)).toBe('held');
    expect(outcome(6 * MINUTE, { resultVisible: true })).toBe('held');
  });

  test('what arrives at a finish or after it is late; what arrived before it is not', () => {
    const finish = { receivedAt: 50 * MINUTE, epoch: 1 };
    const judge = (receivedAt: number, context: Partial<ArrivalContext> = {}) =>
      judgeArrival(arrival(receivedAt, MINUTE), { ...running, finish, ...context });
    const writtenAtOf = (receivedAt: number) => ({ writtenAt: receivedAt - MINUTE });
    const before = 50 * MINUTE - 1;
    const [stored, held] = [{ outcome: 'stored' }, { outcome: 'held' }];
    expect(judge(before)).toEqual({ ...stored, receivedLate: false, ...writtenAtOf(before) });
    const at = 50 * MINUTE;
    expect(judge(at)).toEqual({ ...held, receivedLate: true, ...writtenAtOf(at) });
    const newer = { finish: { ...finish, epoch: 2 } };
    expect(judge(at, newer)).toEqual({ ...stored, receivedLate: true, ...writtenAtOf(at) });
    const seen = { resultVisible: true };
    expect(judge(before, seen)).toEqual({ ...held, receivedLate: true, ...writtenAtOf(before) });
  });
});
