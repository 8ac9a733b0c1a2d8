import { expect, test } from 'vitest';
import { currentStatus, mayBeginOffline, msUntilChange, startTerms } from './start-terms.ts';

const NOW = Date.parse('2026-05-22T07:00:00Z');
const open = {
  status: 'available',
  running: null,
  startDate: '2026-05-20T06:00:00Z',
  endDate: '2026-05-22T15:00:00Z',
  leftAttempts: 2,
} as const;
const terms = (facts: Partial<Parameters<typeof startTerms>[0]>) =>
  startTerms({ ...open, ...facts }, NOW, 'Europe/Moscow');

test('an open test with attempts left can be started', () => {
  expect(terms({})).toEqual({ kind: 'start' });
});

test('a test that was read before its opening can be started after it', () => {
  expect(terms({ status: 'scheduled', startDate: '2026-05-22T07:00:00Z' })).toEqual({
    kind: 'start',
  });
});

test('a passed test with attempts left can be started again', () => {
  expect(terms({ status: 'passed', leftAttempts: 1 })).toEqual({ kind: 'start' });
});

test('a running attempt can be continued regardless of other terms', () => {
  const running = { userTestId: 'a', deadline: '2026-05-22T07:20:00Z', leftTestTime: '00:20:00' };
  expect(terms({ status: 'inProgress', running, leftAttempts: 0 })).toEqual({ kind: 'continue' });
});

test.each([
  ['before it opens', { startDate: '2026-05-24T06:00:00Z' }, 'Тест откроется 24 мая, 09:00.'],
  ['scheduled without a date', { status: 'scheduled', startDate: null }, 'Тест ещё не открыт.'],
  ['after its end', { endDate: '2026-05-22T06:00:00Z' }, 'Тест закрылся сегодня, 09:00.'],
  ['without attempts left', { leftAttempts: 0 }, 'Попыток больше не осталось.'],
  ['archived for its students', { status: 'closed' }, 'Тест закрыт.'],
  [
    'that one manages, one’s own or a colleague’s,',
    { status: 'active' },
    'Вы управляете этим тестом. Проходят его те, кому он назначен.',
  ],
  ['that is a draft', { status: 'draft' }, 'Это черновик. Пройти его можно после публикации.'],
  ['that is in the archive', { status: 'archived' }, 'Тест в архиве. Пройти его нельзя.'],
] as const)('a test %s gives that reason', (_, facts, message) => {
  expect(terms(facts)).toEqual({ kind: 'closed', message });
});

const stale = { ...open, status: 'scheduled', startDate: '2026-05-22T07:00:00Z' } as const;

test.each([
  ['before its opening', { startDate: '2026-05-22T07:00:01Z' }, 'scheduled'],
  ['at its opening', {}, 'available'],
  ['without dates', { startDate: null, endDate: null }, 'scheduled'],
  ['without an end', { endDate: null }, 'available'],
  ['after its end', { endDate: '2026-05-22T07:00:00Z' }, 'overdue'],
  ['open, after its end', { status: 'available', endDate: '2026-05-22T07:00:00Z' }, 'overdue'],
  ['open, before its end', { status: 'available', startDate: null }, 'available'],
  ['without attempts left', { leftAttempts: 0 }, 'closed'],
  ['in a list, without a count of attempts', { leftAttempts: undefined }, 'available'],
  ['passed', { status: 'passed' }, 'passed'],
  ['that one manages', { status: 'active' }, 'active'],
] as const)('a test %s has the status that the server would tell now', (_, facts, status) => {
  expect(currentStatus({ ...stale, ...facts }, NOW)).toBe(status);
});

test.each([
  ['before its opening', { startDate: '2026-05-22T07:00:10Z' }, 11_000],
  ['long before its opening', { startDate: '2026-07-22T07:00:00Z' }, 3_600_000],
  ['at its opening', {}, 15_000],
  ['without a start', { startDate: null }, false],
  ['before its end', { status: 'available', endDate: '2026-05-22T07:00:10Z' }, 11_000],
  ['without an end', { status: 'available', endDate: null }, false],
  ['after its end', { status: 'overdue' }, false],
] as const)('the details of a test %s are read again when they may differ', (_, facts, ms) => {
  expect(msUntilChange({ ...stale, ...facts }, NOW)).toBe(ms);
});

const offline = (facts: Partial<Parameters<typeof mayBeginOffline>[0]>) =>
  mayBeginOffline({ ...open, offlineStart: true, ...facts }, NOW, 'Europe/Moscow');

test.each([
  ['open', {}],
  ['passed, with attempts left', { status: 'passed' }],
  ['not yet open', { startDate: '2026-05-22T08:00:00Z', status: 'scheduled' }],
  ['scheduled without a date', { status: 'scheduled', startDate: null }],
  ['past its end by a clock that may be ahead', { endDate: '2026-05-22T06:00:00Z' }],
] as const)('the server makes an offer of a test that is %s', (_, facts) => {
  expect(offline(facts)).toBe(true);
});

test.each([
  ['without the setting', { offlineStart: undefined }],
  ['after its end', { status: 'overdue', endDate: '2026-05-22T06:00:00Z' }],
  ['that was passed, after its end', { status: 'passed', endDate: '2026-05-22T06:00:00Z' }],
  ['without attempts left', { leftAttempts: 0 }],
  [
    'without attempts left, before it opens',
    { leftAttempts: 0, startDate: '2026-05-22T08:00:00Z', status: 'scheduled' },
  ],
  ['that was archived', { status: 'closed' }],
  ['that one manages', { status: 'active' }],
  ['that one manages, before it opens', { status: 'active', startDate: '2026-05-22T08:00:00Z' }],
  [
    'that runs on another device',
    { running: { userTestId: 'a', deadline: '2026-05-22T07:20:00Z', leftTestTime: '00:20:00' } },
  ],
] as const)('the server makes no offer of a test %s', (_, facts) => {
  expect(offline(facts)).toBe(false);
});
