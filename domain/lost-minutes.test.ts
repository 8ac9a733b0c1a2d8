import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lostMinutes, type LostTimeFacts } from './lost-minutes.ts';
import { lengthOf, unitePeriods } from './periods.ts';

const MINUTE = 60_000;
const minutes = (from: number, to: number) => ({ from: from * MINUTE, to: to * MINUTE });

/** Started at minute 100 for forty minutes; now it is minute 130. */
const facts = (changes: Partial<LostTimeFacts> = {}): LostTimeFacts => ({
  startedAt: 100 * MINUTE,
  deadline: 140 * MINUTE,
  now: 130 * MINUTE,
  opensAt: 60 * MINUTE,
  passMs: 40 * MINUTE,
  outages: [],
  takeOvers: [],
  silences: [],
  settled: [],
  ...changes,
});

const causesOf = (given: Partial<LostTimeFacts>) => {
  const lost = lostMinutes(facts(given));
  const causes = Object.fromEntries(
    lost.losses.map(({ cause, periods }) => [cause, lengthOf(periods) / MINUTE]),
  );
  return { ...causes, total: [lost.minutes, lost.minutesWithSilence] };
};

test.each<[string, Partial<LostTimeFacts>, object]>([
  ['nothing happened', {}, { total: [0, 0] }],
  ['no server ran', { outages: [minutes(110, 117)] }, { outage: 7, total: [7, 7] }],
  ['none ran before its start', { outages: [minutes(70, 107)] }, { outage: 7, total: [7, 7] }],
  [
    'none ran beyond its deadline',
    { now: 190 * MINUTE, outages: [minutes(135, 180)] },
    { outage: 5, total: [5, 5] },
  ],
  ['a device was replaced', { takeOvers: [minutes(110, 113)] }, { takeOver: 3, total: [3, 3] }],
  ['a device was silent', { silences: [minutes(110, 125)] }, { silence: 15, total: [0, 15] }],
  [
    'an outage, a replaced device and silence overlap',
    { outages: [minutes(105, 110)], takeOvers: [minutes(108, 112)], silences: [minutes(101, 120)] },
    { outage: 5, takeOver: 2, silence: 12, total: [7, 19] },
  ],
  [
    'the end of the test shortened what started late',
    { deadline: 130 * MINUTE, now: 120 * MINUTE, outages: [minutes(92, 99)] },
    { lateStart: 7, total: [7, 7] },
  ],
  [
    'the end shortened it by less than the outage before it',
    { deadline: 137 * MINUTE, outages: [minutes(80, 99)] },
    { lateStart: 19, total: [3, 3] },
  ],
  [
    'an outage lasted until its start, and the server had come back for a moment',
    { deadline: 120 * MINUTE, now: 120 * MINUTE, outages: [minutes(80, 89), minutes(91, 100)] },
    { lateStart: 18, total: [18, 18] },
  ],
  [
    'an earlier outage was long over',
    { deadline: 120 * MINUTE, now: 120 * MINUTE, outages: [minutes(70, 85), minutes(91, 95)] },
    { lateStart: 4, total: [4, 4] },
  ],
  [
    'nobody can have waited for the server until its start',
    { deadline: 120 * MINUTE, now: 120 * MINUTE, outages: [minutes(62, 94)] },
    { total: [0, 0] },
  ],
  ['it started late and got its whole time', { outages: [minutes(80, 99)] }, { total: [0, 0] }],
  [
    'the outage was before the test opened',
    { deadline: 130 * MINUTE, outages: [minutes(40, 60)] },
    { total: [0, 0] },
  ],
  [
    'a part is settled',
    { outages: [minutes(105, 110)], settled: [minutes(100, 107)] },
    { outage: 3, total: [3, 3] },
  ],
  [
    'it was less than half a minute',
    { outages: [minutes(105, 105.4)] },
    { outage: 5 / 12.5, total: [0, 0] },
  ],
  ['a minute began', { outages: [minutes(105, 107.1)] }, { outage: 2.1, total: [3, 3] }],
])('an attempt loses time when %s', (_, given, expected) => {
  const { total, ...causes } = causesOf(given);
  const rounded = Object.fromEntries(
    Object.entries(causes).map(([cause, length]) => [
      cause,
      Math.round(Number(length) * 100) / 100,
    ]),
  );
  expect({ ...rounded, total }).toEqual(expected);
});

const period = fc
  .tuple(fc.integer({ min: 0, max: 12_000 }), fc.integer({ min: 1, max: 3_000 }))
  .map(([from, length]) => ({ from: from * 1_000, to: (from + length) * 1_000 }));
const periods = fc.array(period, { maxLength: 5 });
const anyFacts = fc
  .record({
    startedAt: fc.integer({ min: 0, max: 9_000 }),
    lasts: fc.integer({ min: 60, max: 4_000 }),
    now: fc.integer({ min: 0, max: 15_000 }),
    opensBefore: fc.option(fc.integer({ min: 0, max: 5_000 })),
    passSeconds: fc.integer({ min: 60, max: 5_000 }),
    outages: periods,
    takeOvers: periods,
    silences: periods,
    settled: periods,
  })
  .map(({ startedAt, lasts, now, opensBefore, passSeconds, ...rest }) => ({
    ...rest,
    startedAt: startedAt * 1_000,
    deadline: (startedAt + lasts) * 1_000,
    now: Math.max(now, startedAt) * 1_000,
    opensAt: opensBefore === null ? null : (startedAt - opensBefore) * 1_000,
    passMs: passSeconds * 1_000,
  }));

test('an attempt never lost more than its time until now, and no moment counts twice', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const { losses, ...lost } = lostMinutes(given);
      const within = losses.filter(({ cause }) => cause !== 'lateStart');
      const all = within.flatMap((loss) => loss.periods);
      expect(lengthOf(unitePeriods(all))).toBe(lengthOf(all));
      const ranMs = Math.min(given.now, given.deadline) - given.startedAt;
      const shortenedMs = Math.max(0, given.startedAt + given.passMs - given.deadline);
      expect(lost.minutes).toBeLessThanOrEqual(lost.minutesWithSilence);
      expect(lost.minutesWithSilence * MINUTE).toBeLessThanOrEqual(ranMs + shortenedMs);
    }),
  );
});

test('what was given back is not suggested again, whatever it did to the deadline', () => {
  fc.assert(
    fc.property(anyFacts, fc.boolean(), (given, withSilence) => {
      const before = lostMinutes(given);
      const back = withSilence ? before.minutesWithSilence : before.minutes;
      const settled = before.losses
        .filter(({ cause }) => withSilence || cause !== 'silence')
        .flatMap((loss) => loss.periods);
      // What passed after the deadline was no time of the attempt.
      const pause = { from: given.deadline, to: Math.max(given.deadline, given.now) };
      const after = lostMinutes({
        ...given,
        deadline: Math.max(given.deadline, given.now) + back * MINUTE,
        settled: [...given.settled, ...settled, pause],
      });
      expect(withSilence ? after.minutesWithSilence : after.minutes).toBe(0);
    }),
  );
});
