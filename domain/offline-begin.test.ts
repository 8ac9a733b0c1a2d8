import { expect, test } from 'vitest';
import { judgeBegin, offlineWindowMs, type BeginFacts } from './offline-begin.ts';

const MINUTE = 60_000;
/** Minutes after 9:00 in Moscow on 2 March 2026. */
const at = (minutes: number) => Date.UTC(2026, 2, 2, 6) + minutes * MINUTE;

/** Shown at 9:00, begun at 9:05, received at 9:45 while the network is back; 40 minutes. */
const facts = (change: Partial<BeginFacts> = {}): BeginFacts => ({
  arrival: { receivedAt: at(45), ageMs: 40 * MINUTE, seenServerTime: null },
  offerMadeAt: at(-12 * 60),
  replacedAt: null,
  codeShownAt: at(0),
  opensAt: null,
  endsAt: null,
  promisedEndsAt: null,
  passMs: 40 * MINUTE,
  extraMs: 0,
  isProofRight: true,
  isTestClosed: false,
  attemptsLeft: 1,
  otherEnds: [],
  ...change,
});

const aged = (minutes: number | 'unknown', receivedAt = at(45), seen: number | null = null) => ({
  receivedAt,
  ageMs: minutes === 'unknown' ? minutes : minutes * MINUTE,
  seenServerTime: seen,
});

test('a begin in time counts from the moment that the device reports', () => {
  expect(judgeBegin(facts())).toEqual({ begunAt: at(5), deadline: at(45), hold: null });
});

test('extra time belongs to the deadline, and the end of the test cuts it as far as the offer did', () => {
  expect(judgeBegin(facts({ extraMs: 10 * MINUTE })).deadline).toBe(at(55));
  const endingAt = (endsAt: number | null, promisedEndsAt: number | null) =>
    judgeBegin(facts({ endsAt, promisedEndsAt })).deadline;
  expect(endingAt(at(30), at(30))).toBe(at(30));
  expect(endingAt(at(20), at(30))).toBe(at(30));
  expect(endingAt(at(30), at(20))).toBe(at(30));
  expect(endingAt(at(30), null)).toBe(at(45));
  expect(endingAt(null, at(30))).toBe(at(45));
});

test.each<[string, Partial<BeginFacts>]>([
  ['proof', { isProofRight: false }],
  ['replacedOffer', { replacedAt: at(5) }],
  ['beforeOffer', { offerMadeAt: at(7) }],
  ['beforeCode', { codeShownAt: null }],
  ['beforeCode', { codeShownAt: at(7) }],
  ['beforeOpening', { opensAt: at(7) }],
  ['afterEnd', { endsAt: at(5) }],
  ['testClosed', { isTestClosed: true }],
  ['otherAttempt', { otherEnds: [at(-100), at(7)] }],
  ['noAttemptsLeft', { attemptsLeft: 0 }],
])('a begin is held: %s', (hold, change) => {
  expect(judgeBegin(facts(change)).hold).toBe(hold);
});

test.each<[string, Partial<BeginFacts>]>([
  ['just before the offer', { offerMadeAt: at(6) }],
  ['just before the code', { codeShownAt: at(6) }],
  ['just before the opening', { opensAt: at(6) }],
  ['before it was replaced', { replacedAt: at(5) + 1 }],
  ['after the last attempt', { otherEnds: [at(5)] }],
  ['just before the end', { endsAt: at(5) + 1 }],
])('a begin counts %s', (_, change) => {
  expect(judgeBegin(facts(change)).hold).toBeNull();
});

test('a device that saw a later time of the server cannot have begun before it', () => {
  const verdict = judgeBegin(facts({ arrival: aged(40, at(45), at(20)) }));
  expect(verdict).toEqual({ begunAt: at(20), deadline: at(60), hold: null });
});

test('a begin never lies after its receipt', () => {
  const verdict = judgeBegin(facts({ arrival: aged(0, at(45), at(90)) }));
  expect(verdict.begunAt).toBe(at(45));
});

test('an unknown age counts from the earliest moment that the evidence allows', () => {
  const arrival = aged('unknown', at(30));
  expect(judgeBegin(facts({ arrival }))).toEqual({ begunAt: at(0), deadline: at(40), hold: null });
  expect(judgeBegin(facts({ arrival, opensAt: at(10) })).deadline).toBe(at(50));
  expect(judgeBegin(facts({ arrival, offerMadeAt: at(15) })).deadline).toBe(at(55));
  const seen = aged('unknown', at(30), at(20));
  expect(judgeBegin(facts({ arrival: seen })).deadline).toBe(at(60));
});

test('an unknown age is held once its earliest deadline is over', () => {
  expect(judgeBegin(facts({ arrival: aged('unknown', at(41)) })).hold).toBeNull();
  const over = judgeBegin(facts({ arrival: aged('unknown', at(42)) }));
  expect(over).toEqual({ begunAt: at(0), deadline: at(40), hold: 'unknownTime' });
});

test('an unknown age before the opening is held', () => {
  const arrival = aged('unknown', at(30));
  expect(judgeBegin(facts({ arrival, opensAt: at(35) })).hold).toBe('beforeOpening');
});

test('a begin after the end gets its whole time if the teacher accepts it', () => {
  expect(judgeBegin(facts({ endsAt: at(3) }))).toMatchObject({ deadline: at(45) });
});

test('answers count until the end of the school’s day, or for the chosen time', () => {
  const windowMs = 15 * MINUTE;
  const zone = 'Europe/Moscow';
  const until = (deadline: number, offlineMs: number | null) =>
    offlineWindowMs(deadline, { windowMs, offlineMs }, zone) / MINUTE;
  expect(until(at(45), null)).toBe(14 * 60 + 15);
  expect(until(at(15 * 60 - 1), null)).toBe(15);
  expect(until(at(45), 120 * MINUTE)).toBe(120);
  expect(until(at(45), 0)).toBe(15);
});
