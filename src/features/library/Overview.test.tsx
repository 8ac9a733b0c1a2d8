import { expect, test } from 'vitest';
import type { TestDetails } from '#contract/tests.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import { Overview } from './Overview.tsx';

const details: TestDetails = {
  id: '01900000-0000-7000-8000-000000000001',
  owner: 'Ольга Петровна',
  title: 'Законы Ньютона',
  theme: 'physics',
  subject: 'Физика',
  difficulty: 'Средняя',
  startDate: null,
  endDate: null,
  totalPoints: 40,
  currentPoints: null,
  status: 'available',
  running: null,
  description: '',
  topic: '',
  duration: '00:40:00',
  attemptsCount: 3,
  leftAttempts: 1,
  totalQuestions: 20,
  lateWindow: '00:15:00',
  visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'never' },
  lastAttemptId: null,
};

test.each([
  ['available', 'осталось 1 из 3'],
  ['active', 'Попытки3'],
  ['draft', 'Попытки3'],
] as const)('who meets a test as «%s» reads «%s» of attempts', async (status, text) => {
  const device = { serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices;
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <Overview test={{ ...details, status }}>{null}</Overview>
    </DeviceContext>,
  );
  const row = [...container.querySelectorAll('dl > *')].find(({ textContent }) =>
    textContent?.startsWith('Попытки'),
  );
  expect(row?.textContent).toContain(text);
  expect(container.textContent).toContain('Время идёт и без сети, и при закрытом приложении.');
  await unmount();
});

test.each([
  [{}, 'Время40 минут'],
  [{ endDate: '1970-01-01T00:30:00.000Z' }, 'Время30 минут вместо 40 минут: тест закроется раньше'],
  [{ startDate: '1970-01-01T01:00:00.000Z', endDate: '1970-01-01T01:40:00.000Z' }, 'Время40 минут'],
  [
    { startDate: '1970-01-01T01:00:00.000Z', endDate: '1970-01-01T01:10:00.000Z' },
    'Время10 минут вместо 40 минут: тест закроется раньше',
  ],
])('of a test with %j no more time is promised than a start gives', async (dates, text) => {
  const device = { serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices;
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <Overview test={{ ...details, ...dates }}>{null}</Overview>
    </DeviceContext>,
  );
  const row = [...container.querySelectorAll('dl > *')].find(({ textContent }) =>
    textContent?.startsWith('Время'),
  );
  expect(row?.textContent).toBe(text);
  await unmount();
});

test('details from before the opening do not say after it that the test will open', async () => {
  const device = { serverNow: () => 3_600_000, timeZone: 'Europe/Moscow' } as DeviceServices;
  const startDate = '1970-01-01T01:00:00.000Z';
  const { container } = await render(
    <DeviceContext value={device}>
      <Overview test={{ ...details, status: 'scheduled', startDate }}>{null}</Overview>
    </DeviceContext>,
  );
  expect(container.textContent).toContain('Доступен');
  expect(container.textContent).not.toContain('Откроется');
});
