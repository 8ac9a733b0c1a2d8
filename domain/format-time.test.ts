import { describe, expect, test } from 'vitest';
import {
  formatAtMoment,
  formatClock,
  formatClockSeconds,
  formatDuration,
  formatElapsed,
  formatDay,
  formatMoment,
  formatRemaining,
  formatShortMoment,
  isTimeZone,
} from './format-time.ts';

const MINUTE = 60_000;
const MOSCOW = 'Europe/Moscow';
const now = new Date('2026-05-22T07:00:00Z');

test.each([
  [24 * MINUTE + 51_000, '24:51'],
  [9 * MINUTE + 14_000, '9:14'],
  [65 * MINUTE + 20_000, '1:05:20'],
  [60 * MINUTE, '1:00:00'],
  [41_200, '0:42'],
  [1, '0:01'],
  [0, '0:00'],
  [-5000, '0:00'],
])('%d ms left read %s', (ms, words) => {
  expect(formatRemaining(ms)).toBe(words);
});

test.each([
  [40 * MINUTE, '40 минут'],
  [21 * MINUTE, '21 минута'],
  [60 * MINUTE, '1 час'],
  [600 * MINUTE, '10 часов'],
  [90 * MINUTE, '1\u00a0ч 30\u00a0мин'],
  [45_000, '45 секунд'],
  [MINUTE, '1 минута'],
])('a duration of %d ms reads %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

test.each([
  [40_900, '40\u00a0с'],
  [MINUTE, '1\u00a0мин'],
  [60 * MINUTE, '1\u00a0ч'],
  [24 * 60 * MINUTE, '1\u00a0день'],
  [6 * MINUTE + 30_000, '6\u00a0мин'],
  [150 * MINUTE, '2\u00a0ч'],
  [3 * 24 * 60 * MINUTE, '3\u00a0дня'],
  [-1, '0\u00a0с'],
])('%d ms ago read %s', (ms, words) => {
  expect(formatElapsed(ms)).toBe(words);
});

test('a clock is that of the given zone, in any zone of the machine', () => {
  const at = new Date('2026-05-22T07:42:12Z');
  expect(formatClock(at, MOSCOW)).toBe('10:42');
  expect(formatClock(at.getTime(), 'Asia/Vladivostok')).toBe('17:42');
  expect(formatClockSeconds(at, MOSCOW)).toBe('10:42:12');
  expect(formatClock(new Date('2026-05-21T21:05:00Z'), MOSCOW)).toBe('00:05');
});

test('a moment of today, of this year and of another year', () => {
  expect(formatMoment(new Date('2026-05-22T07:42:00Z'), now, MOSCOW)).toBe('сегодня, 10:42');
  expect(formatMoment(new Date('2026-05-21T07:42:00Z'), now, MOSCOW)).toBe('21 мая, 10:42');
  expect(formatMoment(new Date('2027-05-21T07:42:00Z'), now, MOSCOW)).toBe('21 мая 2027');
});

test('midnight separates the days by the zone, not by UTC', () => {
  const lateEvening = new Date('2026-05-21T21:30:00Z');
  expect(formatMoment(lateEvening, now, MOSCOW)).toBe('сегодня, 00:30');
  expect(formatMoment(lateEvening, now, 'UTC')).toBe('21 мая, 21:30');
});

test('a day is named without its time, of another year with it', () => {
  expect(formatDay(new Date('2026-05-22T07:42:00Z'), now, MOSCOW)).toBe('сегодня');
  expect(formatDay(new Date('2026-05-21T07:42:00Z'), now, MOSCOW)).toBe('21 мая');
  expect(formatDay(new Date('2025-05-21T07:42:00Z'), now, MOSCOW)).toBe('21 мая 2025');
});

test('a short moment names the day only when it is not today', () => {
  expect(formatShortMoment(new Date('2026-05-22T07:42:00Z'), now, MOSCOW)).toBe('10:42');
  expect(formatShortMoment(new Date('2025-05-22T07:42:00Z'), now, MOSCOW)).toBe('22 мая 2025');
  expect(formatShortMoment(new Date('2026-05-21T07:42:00Z'), now, MOSCOW)).toBe('21 мая, 10:42');
});

test('a moment within a sentence has its «в» before a time of day alone', () => {
  expect(formatAtMoment(new Date('2026-05-22T07:42:00Z'), now, MOSCOW)).toBe('в 10:42');
  expect(formatAtMoment(new Date('2026-05-21T07:42:00Z'), now, MOSCOW)).toBe('21 мая, 10:42');
  expect(formatAtMoment(new Date('2025-05-22T07:42:00Z'), now, MOSCOW)).toBe('22 мая 2025');
});

test('a name that no system knows is no time zone', () => {
  expect(['Asia/Yekaterinburg', 'UTC', 'Москва', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe('a reader in another zone', () => {
  const now = Date.parse('2026-05-22T00:50:00Z');
  const inVladivostok = { timeZone: 'Europe/Moscow', ownZone: 'Asia/Vladivostok' };

  test.each([
    ['Europe/Moscow', 'Europe/Moscow', '03:50'],
    ['Europe/Moscow', 'Europe/Simferopol', '03:50'],
    ['Europe/Moscow', 'Asia/Vladivostok', '03:50 по Москве'],
    ['Asia/Kamchatka', 'Asia/Vladivostok', '12:50 по Камчатке'],
    ['Asia/Yekaterinburg', 'UTC', '05:50 по Екатеринбургу'],
    ['Asia/Tashkent', 'Asia/Omsk', '05:50 UTC+5'],
    ['America/St_Johns', 'UTC', '22:20 UTC−2:30'],
  ])('in a school of %s, read in %s: %s', (timeZone, ownZone, expected) => {
    expect(formatClock(now, { timeZone, ownZone })).toBe(expected);
  });

  test('names the zone where the offsets differ at that moment alone', () => {
    const zone = { timeZone: 'Europe/Berlin', ownZone: 'Africa/Lagos' };
    expect(formatClock(Date.parse('2026-01-10T09:00:00Z'), zone)).toBe('10:00');
    expect(formatClock(Date.parse('2026-07-10T09:00:00Z'), zone)).toBe('11:00 UTC+2');
  });

  test('says no «сегодня» while the day differs', () => {
    const evening = Date.parse('2026-05-22T20:30:00Z');
    expect(formatMoment(now, now, inVladivostok)).toBe('сегодня, 03:50 по Москве');
    expect(formatMoment(evening, evening, inVladivostok)).toBe('22 мая, 23:30 по Москве');
    expect(formatShortMoment(evening, evening, inVladivostok)).toBe('22 мая, 23:30 по Москве');
    expect(formatShortMoment(now, now, inVladivostok)).toBe('03:50 по Москве');
  });
});
