import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listReadiness, type StudentReadiness } from '#contract/readiness.ts';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { ReadinessPage } from './ReadinessPage.tsx';
import { judgeStudent } from './verdicts.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

const NOW = Date.parse('2026-05-21T17:00:00Z');
const HOUR = 3_600_000;
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString();

const student = (changes: Partial<StudentReadiness> = {}): StudentReadiness => ({
  userId: 'a',
  userName: 'Анна Кузнецова',
  groups: ['9А'],
  begun: false,
  offerMadeAt: ago(3),
  offerCurrent: true,
  devices: [],
  lastSeenAt: ago(2),
  ...changes,
});
const device = (
  problems: StudentReadiness['devices'][number]['problems'],
  hours = 2,
): StudentReadiness['devices'][number] => ({
  ready: problems.length === 0,
  problems,
  reportedAt: ago(hours),
  appVersion: '1.0.0',
});

test.each<[string, Partial<StudentReadiness>, string, string[]]>([
  ['no device', {}, 'never', []],
  ['a ready device', { devices: [device([])] }, 'ready', []],
  ['a ready device and another', { devices: [device([]), device(['noWorker'], 1)] }, 'ready', []],
  [
    'devices with problems, the best of which counts',
    { devices: [device(['noWorker', 'lowSpace'], 1), device(['noKey', 'notPersisted'])] },
    'notReady',
    ['noKey'],
  ],
  ['a check of yesterday', { offerMadeAt: ago(60), devices: [device([], 25)] }, 'old', []],
  ['a check before the present offer', { devices: [device([], 4)] }, 'old', []],
  ['changed questions', { offerCurrent: false, devices: [device([])] }, 'changed', []],
  [
    'no prepared attempt',
    { offerMadeAt: null, offerCurrent: false, devices: [device(['notFetched'])] },
    'notReady',
    ['notFetched'],
  ],
  ['an attempt', { begun: true, devices: [device(['notFetched'])] }, 'begun', []],
])('a student with %s is judged', (_, changes, verdict, problems) => {
  expect(judgeStudent(student(changes), NOW)).toMatchObject({ verdict, problems });
});

let items: StudentReadiness[];
let offlineStart: boolean;

beforeEach(() => {
  offlineStart = true;
  items = [
    student({ userId: 'r', userName: 'Агеева Анна', devices: [device([])] }),
    student({ userId: 'b', userName: 'Борисов Борис', begun: true }),
    student({ userId: 'n', userName: 'Яковлев Ян', devices: [device(['lowSpace', 'noWorker'])] }),
    student({ userId: 'u', userName: 'Орлов Олег', offerMadeAt: null, lastSeenAt: null }),
  ];
  vi.mocked(call).mockImplementation(async (route: Route) =>
    route.name === listReadiness.name
      ? { items, total: items.length }
      : { name: 'Законы Ньютона', offlineStart, level: 'owner' },
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function open(queries: { retry?: false } = {}) {
  const services = { serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices;
  const { container } = await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries } })}>
      <DeviceContext value={services}>
        <ReadinessPage testId="t1" />
      </DeviceContext>
    </QueryClientProvider>,
  );
  const pageText = () => container.textContent.replaceAll('\u00A0', ' ');
  return { container, pageText };
}

test('those who are not ready come first, with their reasons and the last contact', async () => {
  const { container, pageText } = await open();
  await waitForShown(() => expect(pageText()).toContain('Готовы: 1 из 3. Уже начали: 1.'));
  const rows = [...container.querySelectorAll('tbody tr')].map(
    ({ textContent }) => textContent?.replaceAll('\u00A0', ' ') ?? '',
  );
  expect(rows).toHaveLength(4);
  expect(rows[0]).toContain('Орлов Олег');
  expect(rows[0]).toContain('страница теста ещё не открыта');
  expect(rows[0]).toContain('—');
  expect(rows[1]).toContain('Яковлев Ян');
  expect(rows[1]).toContain('на устройстве мало места, приложение ещё не открывается без сети');
  expect(rows[1]).toContain('18:00');
  expect(rows[2]).toContain('Агеева Анна');
  expect(rows[3]).toContain('Борисов Борис');
});

test('the list is printed with the test’s name', async () => {
  // jsdom has none.
  const print = vi.fn<() => void>();
  vi.stubGlobal('print', print);
  const { container, pageText } = await open();
  await waitForShown(() => expect(pageText()).toContain('Распечатать'));
  const button = [...container.querySelectorAll('button')].find((one) =>
    one.textContent.includes('Распечатать'),
  );
  await click(button);
  expect(print).toHaveBeenCalledOnce();
  const paper = document.querySelector('body > [lang=ru]');
  expect(paper?.querySelector('h1')?.textContent).toBe('Законы Ньютона');
  expect(paper?.querySelectorAll('tbody tr')).toHaveLength(4);
});

test('settings that cannot be loaded can be requested again', async () => {
  vi.mocked(call).mockRejectedValue(new Error('500'));
  const { pageText } = await open({ retry: false });
  await waitForShown(() => expect(pageText()).toContain('Повторить'));
});

test('without the setting the page says where to turn it on', async () => {
  offlineStart = false;
  const { pageText } = await open();
  await waitForShown(() => expect(pageText()).toContain('Начало без сети выключено'));
});
