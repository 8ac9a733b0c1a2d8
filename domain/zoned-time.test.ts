import { expect, test } from 'vitest';
import { fromZonedInput, toZonedInput, zoneLabel } from './zoned-time.ts';

test.each([
  ['Europe/Moscow', '2026-05-22T09:00', '2026-05-22T06:00:00.000Z'],
  ['Asia/Yekaterinburg', '2026-01-01T00:30', '2025-12-31T19:30:00.000Z'],
  ['America/New_York', '2026-07-01T12:00', '2026-07-01T16:00:00.000Z'],
  ['America/New_York', '2026-01-01T12:00', '2026-01-01T17:00:00.000Z'],
  ['Asia/Kathmandu', '2026-03-02T05:45', '2026-03-02T00:00:00.000Z'],
])('in %s the clock shows %s at %s', (timeZone, text, iso) => {
  expect(new Date(fromZonedInput(text, timeZone) ?? 0).toISOString()).toBe(iso);
  expect(toZonedInput(Date.parse(iso), timeZone)).toBe(text);
});

test('every hour beside a change of the clocks is read back as it was shown', () => {
  for (let hour = -30; hour < 30; hour += 1) {
    const at = Date.parse('2026-11-01T06:00:00.000Z') + hour * 3_600_000;
    const shown = toZonedInput(at, 'America/New_York');
    const read = fromZonedInput(shown, 'America/New_York') ?? 0;
    expect(toZonedInput(read, 'America/New_York')).toBe(shown);
  }
});

test.each([
  '',
  '2026-05-22',
  '2026-13-40T99:99',
  'завтра',
  '+002026-05-22T09:00',
  '2026-05-22T09:00:30',
  '2026-05-22T09:00:00.000Z',
  ' 2026-05-22T09:00',
])('«%s» is no time', (text) => {
  expect(fromZonedInput(text, 'Europe/Moscow')).toBeNull();
});

test('a zone is named with its offset from UTC', () => {
  const at = Date.parse('2026-05-22T06:00:00.000Z');
  expect(zoneLabel(at, 'Europe/Moscow')).toBe('Москва, UTC+3');
  expect(zoneLabel(at, 'Asia/Yekaterinburg')).toBe('Екатеринбург, UTC+5');
});

test('a zone without a name of its own is its offset from UTC', () => {
  const at = Date.parse('2026-05-22T06:00:00.000Z');
  expect(zoneLabel(at, 'Etc/GMT-3')).toBe('UTC+3');
  expect(zoneLabel(at, 'Etc/GMT+5')).toBe('UTC−5');
});
