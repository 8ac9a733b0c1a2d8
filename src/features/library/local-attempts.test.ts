import { expect, test } from 'vitest';
import type { TestListItem } from '#contract/tests.ts';
import { overlayLocalAttempts, runningFirst } from './local-attempts.ts';

const NOW = Date.parse('2026-05-22T08:00:00Z');
const item = (id: string, facts: Partial<TestListItem> = {}): TestListItem => ({
  id,
  owner: 'О. В. Лаптева',
  title: id,
  theme: 'physics',
  subject: 'Физика',
  difficulty: 'Средняя',
  startDate: null,
  endDate: null,
  totalPoints: 40,
  currentPoints: null,
  status: 'available',
  running: null,
  ...facts,
});
const localAttempt = {
  attemptId: 'a1',
  testId: 't2',
  state: 'running',
  deadline: NOW + 600_000,
} as const;

test('a locally running attempt is shown as running although the list is older', () => {
  const [first, second] = overlayLocalAttempts([item('t1'), item('t2')], [localAttempt], NOW);
  expect(second).toMatchObject({
    status: 'inProgress',
    isHere: true,
    isQueued: false,
    running: { userTestId: 'a1', leftTestTime: '00:10:00' },
  });
  expect(first).toMatchObject({ status: 'available', isHere: false });
});

test('a list from before the opening does not say after it that the test will open', () => {
  const scheduled = (startDate: string) => item('t1', { status: 'scheduled', startDate });
  const items = [scheduled('2026-05-22T08:00:00Z'), scheduled('2026-05-22T08:00:01Z')];
  const statuses = overlayLocalAttempts(items, [], NOW).map(({ status }) => status);
  expect(statuses).toEqual(['available', 'scheduled']);
});

test.each([
  ['finished here', { ...localAttempt, state: 'finishing' as const }],
  ['past its deadline here', { ...localAttempt, deadline: NOW }],
])('an attempt %s is no running one, though the server does not know', (_, over) => {
  const running = { userTestId: 'a1', deadline: '2026-05-22T08:10:00Z', leftTestTime: '00:10:00' };
  const [only] = overlayLocalAttempts([item('t2', { status: 'inProgress', running })], [over], NOW);
  expect(only).toMatchObject({ running: null, isQueued: true });
});

test('running tests come first, by deadline, the others in server order', () => {
  const ending = (deadline: string) => ({
    running: { userTestId: 'a', deadline, leftTestTime: '00:10:00' },
  });
  const items = [
    item('b'),
    item('late', ending('2026-05-22T09:00:00Z')),
    item('a'),
    item('soon', ending('2026-05-22T08:10:00Z')),
  ];
  expect(runningFirst(items).map(({ id }) => id)).toEqual(['soon', 'late', 'b', 'a']);
});
