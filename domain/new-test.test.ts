import { expect, test } from 'vitest';
import { newTestPayload } from './new-test.ts';

test('a new test has the default payload and opens now for a month', () => {
  expect(newTestPayload(new Date('2026-05-22T07:15:30.000Z'))).toEqual({
    name: 'Новый тест',
    description: '',
    theme: '',
    difficulty: '',
    attemptsCount: 1,
    startTestTime: '2026-05-22T07:15:30.000Z',
    endTestTime: '2026-06-22T07:15:30.000Z',
    passTestTime: '10:00:00',
    maxPoints: 0,
  });
});

test.each([
  ['2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
  ['2028-01-30T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
  ['2026-12-31T22:00:00.000Z', '2027-01-31T22:00:00.000Z'],
])('a month from %s ends %s', (now, end) => {
  expect(newTestPayload(new Date(now)).endTestTime).toBe(end);
});

test.each([
  ['2026-03-15T11:00:20.500Z', '2026-04-15T10:00:20.500Z'],
  ['2026-10-10T10:00:00.000Z', '2026-11-10T11:00:00.000Z'],
  ['2026-10-31T22:30:00.000Z', '2026-11-30T22:30:00.000Z'],
])(
  'the clock of a school shows the same hour a month after %s, whether or not it was changed',
  (now, end) => {
    expect(newTestPayload(new Date(now), 'Europe/Berlin').endTestTime).toBe(end);
  },
);
