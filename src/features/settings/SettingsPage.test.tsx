import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, useEffect, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TestSettings } from '#contract/authoring.ts';
import type { Group } from '#contract/groups.ts';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { SettingsPage } from './SettingsPage.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.setConfig({ testTimeout: 30_000 });

const testId = '01990000-0000-7000-8000-0000000000aa';
let settings: TestSettings;
/** Of the picker. */
let groups: Partial<Group>[];
let shown: Rendered;
let client: QueryClient;
/** Re-renders the page. */
let redraw: () => void;
/** Navigates to the sign-in screen; `back` after an expired session. */
let signIn: (back?: string) => Promise<void>;
/** Resolves the pending save. */
let saved: () => void;

function Page() {
  const [, setDrawn] = useState(0);
  useEffect(() => {
    redraw = () => setDrawn((times) => times + 1);
  });
  return <SettingsPage testId={testId} viewerId="laptewa" />;
}

async function open(): Promise<void> {
  const root = createRootRoute();
  const page = (path: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component });
  const router = createRouter({
    routeTree: root.addChildren([page('/settings', Page), page('/login', () => <p>Вход</p>)]),
    history: createMemoryHistory({ initialEntries: ['/settings'] }),
  });
  signIn = (back) =>
    act(async () => {
      const search = back === undefined ? {} : { redirect_path: back };
      void router.navigate({ to: '/login', search } as never);
    });
  client = new QueryClient();
  const device = { serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices;
  shown = await render(
    <DeviceContext value={device}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </DeviceContext>,
  );
  await seen(() => name());
}

const seen = (look: () => unknown) =>
  act(() => vi.waitFor(() => expect(look()).toBeTruthy(), { timeout: 10_000 }));
const words = () => shown.container.textContent ?? '';
const name = () =>
  shown.container.querySelector<HTMLInputElement>('[data-field="name"] input, input[name="name"]');
const type = (value: string) =>
  act(async () => {
    const field = name();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const save = () =>
  act(async () => {
    shown.container
      .querySelector('form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });

beforeEach(async () => {
  sessionStorage.clear();
  Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  groups = [];
  settings = {
    id: testId,
    version: 3,
    lifecycle: 'draft',
    level: 'owner',
    ownerId: testId,
    owner: 'Лаптева',
    name: 'Законы Ньютона',
    description: '',
    theme: 'physics',
    difficulty: '',
    topic: '',
    language: '',
    attemptsCount: 1,
    startTestTime: null,
    endTestTime: null,
    passTestTime: '00:40:00',
    maxPoints: 1,
    totalQuestions: 1,
    openToAll: false,
    lateWindow: '00:15:00',
    countedAttempt: 'best',
    offlineStart: false,
    offlineWindow: null,
    visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'afterClose' },
    assignedUsers: [],
    assignedGroups: [],
    personalTerms: [],
    attempts: 0,
    mostAttempts: 0,
    runningAttempts: 0,
    updatedAt: '2026-05-21T07:00:00.000Z',
  };
  vi.mocked(call).mockImplementation((async (route: Route, { body }: { body?: unknown }) => {
    if (route.name === 'getTestSettings') return settings;
    if (route.name === 'listGroups') return { items: groups, total: groups.length };
    if (route.name !== 'updateTest') return { items: [], total: 0 };
    return new Promise((resolve) => {
      saved = () => {
        settings = { ...settings, ...(body as Partial<TestSettings>), version: 4 };
        resolve({ version: 4, updatedAt: settings.updatedAt });
      };
    });
  }) as never);
  await open();
});

/** Opens the page anew with other settings. */
async function reopen(part: Partial<TestSettings>): Promise<void> {
  await shown.unmount();
  settings = { ...settings, ...part };
  await open();
}
const input = (field: string) =>
  shown.container.querySelector<HTMLInputElement>(`input[name="${field}"]`);
const button = (label: string) =>
  [...shown.container.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === label,
  ) ?? null;
const sent = () =>
  vi
    .mocked(call)
    .mock.calls.filter(([route]) => route.name === 'updateTest')
    .map(([, given]) => (given as { body: unknown }).body);

afterEach(async () => {
  await shown.unmount();
  vi.unstubAllGlobals();
});

test('input typed while the settings are being saved stays and is not treated as saved', async () => {
  await type('Силы');
  await save();
  await type('Силы и движение');
  await act(async () => saved());
  await seen(() => words().includes('Есть несохранённые правки'));
  expect(name()?.value).toBe('Силы и движение');
});

test('edits are restored after an expired session, which clears the cache and may re-render the page', async () => {
  await type('Силы');
  client.clear();
  await act(async () => redraw());
  expect(name()?.value).toBe('Силы');
  await signIn('/settings');
  await seen(() => words().includes('Вход'));
  await shown.unmount();
  await open();
  expect(name()?.value).toBe('Силы');
  expect(words()).toContain('Есть несохранённые правки');
});

test('a manual sign-out removes the edits from the tab', async () => {
  await type('Силы');
  await signIn();
  await seen(() => words().includes('Вход'));
  expect(Object.keys(sessionStorage)).toEqual([]);
});

test('of personal terms the removed ones go, and each of the others stays with its person', async () => {
  const term = (userId: string, userName: string, extraMinutes: number) => ({
    userId,
    userName,
    extraMinutes,
    attemptsCount: null,
    startTestTime: null,
    endTestTime: null,
  });
  const [anna, boris, vera] = ['a', 'b', 'c'].map(
    (end) => `01990000-0000-7000-8000-00000000000${end}`,
  ) as [string, string, string];
  await reopen({
    personalTerms: [term(anna, 'Анна', 5), term(boris, 'Борис', 10), term(vera, 'Вера', 15)],
  });
  await click(button('Убрать личные условия: Анна'));
  expect(
    [...shown.container.querySelectorAll('legend')].map(({ textContent }) => textContent),
  ).toEqual(expect.arrayContaining(['Борис', 'Вера']));
  expect(input('personalTerms.0.extraMinutes')?.value).toBe('10');
  expect(words()).not.toContain('Анна');
  await save();
  expect(sent().at(-1)).toEqual({
    id: testId,
    version: 3,
    personalTerms: [
      {
        userId: boris,
        extraMinutes: 10,
        attemptsCount: null,
        startTestTime: null,
        endTestTime: null,
      },
      {
        userId: vera,
        extraMinutes: 15,
        attemptsCount: null,
        startTestTime: null,
        endTestTime: null,
      },
    ],
  });
});

test('reverted edits show the stored settings again, lists too, and nothing is sent', async () => {
  const userId = '01990000-0000-7000-8000-00000000000a';
  await reopen({
    personalTerms: [
      {
        userId,
        userName: 'Анна',
        extraMinutes: 5,
        attemptsCount: 2,
        startTestTime: null,
        endTestTime: null,
      },
    ],
  });
  await type('Силы');
  await click(button('Убрать личные условия: Анна'));
  expect(words()).not.toContain('Анна');
  await click(button('Отменить правки'));
  await seen(() => words().includes('Правок нет'));
  expect(name()?.value).toBe('Законы Ньютона');
  expect(input('personalTerms.0.attemptsCount')?.value).toBe('2');
  vi.mocked(call).mockClear();
  await save();
  expect(sent()).toEqual([]);
});

test('a newer version is shown while nothing is typed, and not over what is typed', async () => {
  const { queryKey } = settingsQuery(testId);
  await act(async () => client.setQueryData(queryKey, { ...settings, version: 4, name: 'Их' }));
  await seen(() => name()?.value === 'Их');
  expect(words()).toContain('Правок нет');
  await type('Моё');
  await act(async () => client.setQueryData(queryKey, { ...settings, version: 5, name: 'Ещё' }));
  expect(name()?.value).toBe('Моё');
});

test.each([
  [
    '00:15:00',
    'Если у ученика пропала сеть, ответы, данные вовремя, засчитаются, если дойдут за 15 минут после конца времени. Более поздние не пропадут',
  ],
  [
    '00:00:00',
    'Засчитаются только ответы, которые дошли до конца времени. Более поздние не пропадут',
  ],
])('a late window of %s says which answers count', async (lateWindow, sentence) => {
  await reopen({ lateWindow });
  expect(words().replaceAll('\u00A0', ' ')).toContain(sentence);
});

test('classes with the same name show their teachers, assigned and available ones', async () => {
  const [own, shared] = [
    '01990000-0000-7000-8000-00000000000b',
    '01990000-0000-7000-8000-00000000000c',
  ];
  groups = [
    { groupId: own, name: '9А', owner: 'Лаптева', memberCount: 2 },
    { groupId: shared, name: '9 а', owner: 'Белова', memberCount: 3 },
  ];
  await reopen({
    assignedGroups: [{ groupId: shared, name: '9 а', owner: 'Белова', memberCount: 3 }],
  });
  expect(button('Убрать: 9 а · Белова')).toBeTruthy();
  await click(button('Выбрать классы'));
  const options = () =>
    [...document.querySelectorAll('dialog label, [role=dialog] label')].map(
      ({ textContent }) => textContent,
    );
  await seen(() => options().some((text) => text?.includes('9А · Лаптева')));
  expect(options().some((text) => text?.includes('9 а · Белова'))).toBe(true);
  expect(document.body.textContent).toContain('Найти по названию');
});
