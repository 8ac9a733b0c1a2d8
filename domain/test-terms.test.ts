import { expect, test } from 'vitest';
import { termsProblems, type TestTerms } from './test-terms.ts';

const DAY_MS = 86_400_000;
const at = (iso: string) => Date.parse(`${iso}T00:00:00Z`);

const fit: TestTerms = {
  startTime: at('2026-05-24'),
  endTime: at('2026-05-31'),
  attemptsCount: 2,
  lateWindowMs: DAY_MS,
  personalTerms: [],
};

const problems = (terms: Partial<TestTerms>, made: readonly (readonly [string, number])[] = []) =>
  termsProblems({ ...fit, ...terms }, new Map(made)).map(({ field, message }) => [field, message]);

test('consistent terms have no problems, with and without a beginning and an end', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ startTime: null })).toEqual([]);
  expect(problems({ endTime: null })).toEqual([]);
  expect(problems({ startTime: null, endTime: null })).toEqual([]);
});

test.each([
  ['1999-12-31', false],
  ['2000-01-01', true],
  ['2099-12-31', true],
  ['2100-01-01', false],
])('a year mistyped is noticed at either end: %s', (day, isFit) => {
  const wrong = (field: string) => (isFit ? [] : [[field, 'Проверьте год']]);
  expect(problems({ startTime: at(day), endTime: null })).toEqual(wrong('startTestTime'));
  expect(problems({ startTime: null, endTime: at(day) })).toEqual(wrong('endTestTime'));
});

test('a test ends later than it begins; not even at the same moment', () => {
  const wrong = [['endTestTime', 'Окончание должно быть позже начала']];
  const start = at('2026-05-24');
  expect(problems({ startTime: start, endTime: start - 1 })).toEqual(wrong);
  expect(problems({ startTime: start, endTime: start })).toEqual(wrong);
  expect(problems({ startTime: start, endTime: start + 1 })).toEqual([]);
});

test('an end in a wrong year is reported alone', () => {
  expect(problems({ endTime: at('1970-01-02') })).toEqual([['endTestTime', 'Проверьте год']]);
});

test('answers may come late by seven days and no more', () => {
  expect(problems({ lateWindowMs: 0 })).toEqual([]);
  expect(problems({ lateWindowMs: 7 * DAY_MS })).toEqual([]);
  expect(problems({ lateWindowMs: 7 * DAY_MS + 1 })).toEqual([['lateWindow', 'Не больше 7 дней']]);
});

test('fewer attempts than already made are refused', () => {
  const made = [
    ['anna', 1],
    ['boris', 3],
  ] as const;
  expect(problems({ attemptsCount: 3 }, made)).toEqual([]);
  expect(problems({ attemptsCount: 2 }, made)).toEqual([
    ['attemptsCount', 'Уже сделано: 3 попытки. Меньше поставить нельзя'],
  ]);
});

test('a personal number of attempts is checked alone', () => {
  const made = [
    ['anna', 1],
    ['boris', 5],
  ] as const;
  const term = (attemptsCount: number | null) => ({
    personalTerms: [
      { userId: 'vera', attemptsCount: 1 },
      { userId: 'boris', attemptsCount },
    ],
  });
  expect(problems(term(5), made)).toEqual([]);
  expect(problems(term(4), made)).toEqual([
    ['personalTerms.1.attemptsCount', 'Уже сделано: 5 попыток. Меньше поставить нельзя'],
  ]);
  // Personal time, and everybody's number of attempts.
  expect(problems(term(null), made)).toEqual([
    ['attemptsCount', 'Уже сделано: 5 попыток. Меньше поставить нельзя'],
  ]);
});

test('a student is in the list once', () => {
  const anna = { userId: 'anna', attemptsCount: 3 };
  const boris = { userId: 'boris', attemptsCount: 3 };
  expect(problems({ personalTerms: [anna, boris] })).toEqual([]);
  expect(problems({ personalTerms: [anna, boris, anna] })).toEqual([
    ['personalTerms', 'Ученик указан дважды: оставьте одну строку'],
  ]);
});

test('own dates are checked with the test’s other one', () => {
  const own = (startTime: number | null, endTime: number | null) =>
    problems({ personalTerms: [{ userId: 'anna', attemptsCount: null, startTime, endTime }] });
  expect(own(null, null)).toEqual([]);
  expect(own(at('2026-06-07'), at('2026-06-08'))).toEqual([]);
  expect(own(null, at('2026-06-08'))).toEqual([]);
  const field = (name: string) => `personalTerms.0.${name}`;
  expect(own(at('2026-06-07'), null)).toEqual([
    [field('startTestTime'), 'Окончание должно быть позже начала'],
  ]);
  expect(own(at('2026-06-08'), at('2026-06-07'))).toEqual([
    [field('endTestTime'), 'Окончание должно быть позже начала'],
  ]);
  expect(own(at('1970-01-02'), null)).toEqual([[field('startTestTime'), 'Проверьте год']]);
  expect(own(null, at('2100-01-01'))).toEqual([[field('endTestTime'), 'Проверьте год']]);
});
