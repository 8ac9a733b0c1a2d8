import { expect, test } from 'vitest';
import { startTerms } from './start-terms.ts';

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
