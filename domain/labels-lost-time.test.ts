import { expect, test } from 'vitest';
import { describeLoss, formatMinutesEach, formatPeriods } from './labels-lost-time.ts';
import { describeBegin, describeSilence } from './labels-silence.ts';

const ZONE = 'Europe/Moscow';
const at = (clock: string) => Date.parse(`2026-05-22T${clock}:00+03:00`);
const period = (from: string, to: string) => ({ from: at(from), to: at(to) });
const NOW = at('12:00');
const FIRST = period('10:02', '11:45');

test('periods are listed, and many are counted', () => {
  expect(formatPeriods([FIRST], NOW, ZONE)).toBe('с 10:02 до 11:45');
  const many = [FIRST, FIRST, FIRST, FIRST, FIRST];
  expect(formatPeriods(many, NOW, ZONE)).toMatch(/до 11:45 и ещё 2 раза$/);
});

test.each([
  ['outage', 'не работал сервер с 10:02 до 11:45'],
  ['lateStart', 'не работал сервер с 10:02 до 11:45, поэтому начало позже, а тест закрывается'],
  ['takeOver', 'сменилось устройство с 10:02 до 11:45'],
  ['silence', 'не было связи с 10:02 до 11:45'],
] as const)('the cause %s is explained with its time', (cause, expected) => {
  expect(describeLoss({ cause, periods: [FIRST] }, NOW, ZONE)).toBe(expected);
});

test.each([
  [[1, 1], 'по 1 минуте'],
  [[2], 'по 2 минуты'],
  [[7, 7, 7], 'по 7 минут'],
  [[21], 'по 21 минуте'],
  [[3, 7], 'от 3 до 7 минут'],
  [[21, 2], 'от 2 до 21 минуты'],
])('%j minutes are «%s»', (minutes, expected) => {
  expect(formatMinutesEach(minutes)).toBe(expected);
});

test.each([
  [[FIRST], false, 'молчало с 10:02 до 11:45, часы не переводили'],
  [[FIRST], true, 'молчало с 10:02 до 11:45, часы переводили или устройство перезапускали'],
  [[], true, 'часы переводили или устройство перезапускали'],
  [[], false, 'перерывов связи по журналу не видно'],
])('silence %j with unknown ages %s', (periods, isAgeUnknown, expected) => {
  expect(describeSilence({ periods, isAgeUnknown }, NOW, ZONE)).toBe(expected);
});

test('the evidence of a begin names when it was reported, the contact before, and the clock', () => {
  const begin = { receivedAt: at('11:45'), seenServerAt: at('09:58'), isAgeUnknown: false };
  expect(describeBegin(begin, NOW, ZONE)).toBe(
    'О начале устройство сообщило в 11:45; до этого оно было на связи в 09:58. Часы не переводили.',
  );
  expect(describeBegin({ ...begin, seenServerAt: null, isAgeUnknown: true }, NOW, ZONE)).toBe(
    'О начале устройство сообщило в 11:45; была ли связь до этого, неизвестно. Часы переводили или устройство перезапускали: взято самое раннее возможное начало.',
  );
});

test('a day takes no «в» in the evidence of a begin', () => {
  const begin = { receivedAt: at('22:00'), seenServerAt: at('09:44'), isAgeUnknown: false };
  const [tomorrow, nextYear] = [NOW + 86_400_000, NOW + 366 * 86_400_000];
  expect(describeBegin(begin, tomorrow, ZONE)).toBe(
    'О начале устройство сообщило 22 мая, 22:00; до этого оно было на связи 22 мая, 09:44. Часы не переводили.',
  );
  expect(describeBegin(begin, nextYear, ZONE)).toContain('на связи 22 мая 2026.');
});
