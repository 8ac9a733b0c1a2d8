import { describe, expect, test } from 'vitest';
import {
  partsVisibleFrom,
  showsAnything,
  shownParts,
  testClosedAt,
  visibleFrom,
} from './visibility.ts';

const MINUTE = 60_000;
const closed = { archived: false, testEnd: 10 * MINUTE, latestClose: null, windowMs: 0 };

describe('a test is closed for everybody', () => {
  test('a minute of transit after its end, later by its window', () => {
    expect(testClosedAt(closed)).toBe(11 * MINUTE);
    expect(testClosedAt({ ...closed, windowMs: 15 * MINUTE })).toBe(25 * MINUTE);
  });

  test('not before the last of its attempts closes', () => {
    expect(testClosedAt({ ...closed, latestClose: 40 * MINUTE })).toBe(40 * MINUTE);
  });

  test('never without an end; an archived one with the last of its attempts', () => {
    expect(testClosedAt({ ...closed, testEnd: null })).toBeNull();
    expect(testClosedAt({ ...closed, archived: true, latestClose: 5 })).toBe(5);
    expect(testClosedAt({ ...closed, archived: true })).toBe(0);
  });
});

test.each([
  ['atOnce', 20, 20],
  ['afterClose', 20, 90],
  ['never', 20, null],
] as const)('a part that shows %s shows from', (moment, endedAt, expected) => {
  expect(visibleFrom(moment, endedAt, 90)).toBe(expected);
});

test('a student could have seen something once the first shown part is out', () => {
  const from = { ownAnswers: null, points: 90, correctAnswers: null };
  expect(showsAnything(from, 89)).toBe(false);
  expect(showsAnything(from, 90)).toBe(true);
  expect(showsAnything({ ...from, points: null }, 1_000)).toBe(false);
});

describe('what a reader sees', () => {
  const from = partsVisibleFrom(
    { ownAnswers: 'atOnce', points: 'afterClose', correctAnswers: 'never' },
    20,
    90,
  );

  test('the student of a running attempt sees own answers alone', () => {
    const all = { ownAnswers: 0, points: 0, correctAnswers: 0 };
    expect(shownParts('student', false, all, 50)).toEqual({
      ownAnswers: true,
      points: false,
      correctAnswers: false,
    });
  });

  test.each([
    [19, false, false],
    [20, true, false],
    [89, true, false],
    [90, true, true],
  ])('afterwards each part from its moment on (at %d)', (now, ownAnswers, points) => {
    const expected = { ownAnswers, points, correctAnswers: false };
    expect(shownParts('student', true, from, now)).toEqual(expected);
  });

  test.each([
    [false, { ownAnswers: true, points: false, correctAnswers: true }],
    [true, { ownAnswers: true, points: true, correctAnswers: true }],
  ])('the teacher sees all, points once the attempt has ended (%s)', (isEnded, expected) => {
    expect(shownParts('teacher', isEnded, from, 0)).toEqual(expected);
  });
});
