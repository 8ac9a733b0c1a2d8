import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useEffect, useState, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Route } from '#contract/route.ts';
import type { TestAnalysis } from '#contract/statistics.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import type { StatisticsSearch } from './statistics-search.ts';
import { StatisticsPage } from './StatisticsPage.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({
  Link: ({ children, search }: { children: ReactNode; search?: Record<string, string> }) => (
    <a href={`/?${new URLSearchParams(search).toString()}`}>{children}</a>
  ),
}));
vi.setConfig({ testTimeout: 30_000 });

const row = (userName: string, trial: boolean) => ({
  userTestId: `attempt of ${userName}`,
  testName: 'Законы Ньютона',
  testPoints: 17,
  userId: userName,
  userName,
  points: 5,
  attemptNumber: 1,
  groups: [],
  state: 2,
  end: 'finished',
  startedAt: '2026-05-22T07:27:00Z',
  finishedAt: '2026-05-22T08:01:00Z',
  usedSeconds: 600,
  pendingReview: false,
  held: 0,
  receivedLate: 0,
  pointsWithoutLate: null,
  counted: !trial,
  trial,
});
const ANALYSIS = {
  attempts: 1,
  pendingReview: 0,
  mean: 5,
  median: 5,
  deviation: null,
  alpha: null,
  standardError: null,
  medianSeconds: 600,
  maxScore: 17,
  distribution: [],
  time: [],
  items: [],
  groups: [],
  countedAttempt: 'best',
};

/** What the server says about the log of receipts. */
let receiptLog: TestAnalysis['receiptLog'];
let shown: Rendered;
let search: StatisticsSearch;

function Page() {
  const [now, setSearch] = useState<StatisticsSearch>({});
  useEffect(() => {
    search = now;
  });
  return <StatisticsPage testId="t1" search={now} onSearch={setSearch} />;
}

const unstarted = (userName: string) => ({
  ...row(userName, false),
  userTestId: null,
  points: null,
  attemptNumber: null,
  groups: ['9А'],
  state: 0,
  end: null,
  startedAt: null,
  finishedAt: null,
  usedSeconds: null,
  counted: false,
});

async function open(students: readonly string[], absent: readonly string[] = []) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.mocked(call).mockImplementation((async (
    { name }: Route,
    { query }: { query: StatisticsSearch & { unstarted?: '1' } },
  ) => {
    if (name === 'getAnalysis') return { ...ANALYSIS, receiptLog };
    const trials = query.trials ? [row('О. В. Лаптева', true)] : [];
    const none = query.unstarted ? absent.map(unstarted) : [];
    const items = [...students.map((student) => row(student, false)), ...trials, ...none];
    return { items, total: items.length, trials: 1, unstarted: none.length };
  }) as never);
  shown = await render(
    <DeviceContext value={{ serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices}>
      <QueryClientProvider client={new QueryClient()}>
        <Page />
      </QueryClientProvider>
    </DeviceContext>,
  );
}
afterEach(async () => {
  receiptLog = undefined;
  await shown.unmount();
  vi.unstubAllGlobals();
});

const words = () => shown.container.textContent ?? '';
const isThere = (text: string) =>
  act(() => vi.waitFor(() => expect(words()).toContain(text), { timeout: 10_000 }));
const theSwitch = () => shown.container.querySelector<HTMLInputElement>('input[type=checkbox]');

test('trials are excluded until switched on, and are labelled then', async () => {
  await open(['Алёшина Анна']);
  await isThere('Показать пробные: 1');
  expect(words()).not.toContain('Лаптева');
  await click(theSwitch());
  expect(search).toEqual({ trials: '1' });
  await isThere('О. В. Лаптева');
  expect(words()).toContain('Пробная');
  expect(words()).toContain('Показаны и посчитаны');
  await click(theSwitch());
  expect(search).toEqual({});
});

test('a test with trials only says so, with a link to the trials', async () => {
  await open([]);
  await isThere('Ученики ещё не начинали');
  const link = [...shown.container.querySelectorAll('a')].find(({ textContent }) =>
    textContent?.startsWith('Показать пробные'),
  );
  expect(link?.getAttribute('href')).toBe('/?trials=1');
});

test('a student without an attempt is a row without a link, counted separately', async () => {
  await open(['Алёшина Анна'], ['Юрьев Лев']);
  await isThere('1 попытка, не приступали: 1');
  const last = [...shown.container.querySelectorAll('tbody tr')].at(-1);
  expect(last?.textContent).toContain('Юрьев Лев9А');
  expect(last?.textContent).toContain('Не приступал');
  expect(last?.querySelector('a')).toBeNull();
});

test('a test without attempts shows its assigned students', async () => {
  await open([], ['Юрьев Лев']);
  await isThere('Юрьев Лев');
  expect(words()).not.toContain('Ученики ещё не начинали');
});

test('the log of receipts is shown with a short digest and the whole one', async () => {
  const digest = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
  receiptLog = { length: 128, digest };
  await open(['Алёшина Анна']);
  await isThere('Журнал квитанций: 128');
  expect(words().replaceAll('\u00A0', ' ')).toMatch(
    new RegExp(`128 записей, контрольная сумма [A-Z\\d]{4}-[A-Z\\d]{4}, целиком ${digest}\\.`),
  );
  expect(words()).toContain('Запишите или напечатайте, чтобы позже сверить');
});

test.each([undefined, { length: 0, digest: 'A'.repeat(43) }])(
  'with the log %j nothing is said about it',
  async (log) => {
    receiptLog = log;
    await open(['Алёшина Анна']);
    await isThere('Показать пробные');
    expect(words()).not.toContain('Журнал квитанций');
  },
);
