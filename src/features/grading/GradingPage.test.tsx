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
import type { GradingEntry } from '#contract/grading.ts';
import type { HeldBegin } from '#contract/offers.ts';
import type { AccessLevel } from '#contract/sharing.ts';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import type { GradingSearch } from './grading-search.ts';
import { GradingPage } from './GradingPage.tsx';
import { heldBegin, pendingEntry } from './test-entry.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.setConfig({ testTimeout: 30_000 });

const id = (number: number) => `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const entry = (number: number, userName: string): GradingEntry =>
  pendingEntry({
    attemptId: id(number),
    userId: id(number + 10),
    userName,
    operationId: id(number + 20),
  });
const anna = entry(1, 'Алёшина Анна');
const boris = entry(2, 'Белов Борис');
const trial: GradingEntry = { ...entry(3, 'О. В. Лаптева'), trial: true };

let waiting: GradingEntry[];
let shown: Rendered;
let search: GradingSearch;
let isNarrow = false;
/** More answers than are listed: the others are on further pages. */
let total: number | null = null;
let show: (search: GradingSearch) => Promise<void>;
/** Pending calls that save a grade, the oldest first. */
let saves: { fail: () => Promise<void>; arrive: () => Promise<void>; body: unknown }[];

function Page() {
  const [now, setSearch] = useState<GradingSearch>({});
  useEffect(() => {
    search = now;
    show = (next) => act(async () => setSearch(next));
  });
  return <GradingPage testId="t1" viewerId="laptewa" search={now} onSearch={setSearch} />;
}

const pageText = () => shown.container.textContent ?? '';
const isThere = (text: string) =>
  act(() => vi.waitFor(() => expect(pageText()).toContain(text), { timeout: 10_000 }));
const isGone = (text: string) =>
  act(() => vi.waitFor(() => expect(pageText()).not.toContain(text), { timeout: 10_000 }));
const button = (name: string) =>
  [...shown.container.querySelectorAll('button')].find(
    (one) => one.textContent?.trim() === name || one.getAttribute('aria-label') === name,
  );
const who = () => shown.container.querySelector('article h2')?.textContent;
const isAt = (name: string) =>
  act(() => vi.waitFor(() => expect(who()).toBe(name), { timeout: 10_000 }));
const comment = () => shown.container.querySelector<HTMLTextAreaElement>('article textarea');
const type = (field: HTMLInputElement | HTMLTextAreaElement | null, value: string) =>
  act(async () => {
    if (!field) throw new Error('Nothing to type into');
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
const submit = () =>
  act(async () => {
    shown.container
      .querySelector('form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });

/** Grades Anna's answer and opens Boris's before the server replies. */
async function gradeAndMoveOn(): Promise<void> {
  await type(shown.container.querySelector('article input'), '3');
  await type(comment(), 'Где рисунок?');
  await submit();
  await click(button('Следующий ответ'));
  expect(who()).toBe('Белов Борис');
}

let begins: HeldBegin[];
let client: QueryClient;
/** What the viewer may do with the test. */
let level: AccessLevel;

beforeEach(async () => {
  sessionStorage.clear();
  level = 'owner';
  begins = [];
  saves = [];
  waiting = [anna, boris];
  Element.prototype.scrollIntoView = () => undefined;
  Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width') && !isNarrow,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  vi.mocked(call).mockImplementation((async (
    { name }: Route,
    { body, query }: { body?: unknown; query?: { trials?: '1'; groupId?: string } },
  ) => {
    const listed = query?.trials === undefined ? waiting : [...waiting, trial];
    if (name === 'listGrading')
      return {
        items: listed,
        total: total ?? listed.length,
        held: 0,
        missing: 0,
        trials: 1,
        questions: [{ question: anna.question, number: 1, pending: 2, answered: 2 }],
      };
    if (name === 'getTestSettings') return { level };
    if (name === 'listHolds') {
      const items = begins.filter(
        ({ groups }) => !query?.groupId || groups.includes(query.groupId),
      );
      return { items, total: items.length };
    }
    if (name !== 'gradeItem') return { items: [], total: 0 };
    return new Promise((resolve, reject) => {
      saves.push({
        body,
        fail: () =>
          act(async () =>
            reject(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' })),
          ),
        arrive: () =>
          act(async () => {
            waiting = [boris];
            resolve({ score: 3, replaced: null });
          }),
      });
    });
  }) as never);
  client = new QueryClient();
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({
        getParentRoute: () => root,
        path: '/tests/manage/$testId/grading',
        component: Page,
      }),
    ]),
    history: createMemoryHistory({ initialEntries: ['/tests/manage/t1/grading'] }),
  });
  const device = { serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices;
  shown = await render(
    <DeviceContext value={device}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </DeviceContext>,
  );
  await isAt('Алёшина Анна');
});
afterEach(async () => {
  isNarrow = false;
  total = null;
  await shown.unmount();
  vi.unstubAllGlobals();
});

const FAILED = 'Оценка не сохранена: Алёшина Анна, вопрос 1.';

test('a grade that fails after its answer was closed is reported on the current view with a link back to the draft', async () => {
  await gradeAndMoveOn();
  await saves[0]?.fail();
  await isThere(FAILED);
  expect(pageText()).toContain('Сервер не отвечает. Проверьте сеть и повторите.');
  expect(who()).toBe('Белов Борис');
  await click(button('К ответу'));
  expect(who()).toBe('Алёшина Анна');
  expect(comment()?.value).toBe('Где рисунок?');
  expect(shown.container.querySelector<HTMLInputElement>('article input')?.value).toBe('3');
  expect(pageText()).not.toContain(FAILED);
  expect(shown.container.querySelector('article')?.textContent).toContain('Сервер не отвечает.');
  await submit();
  await saves[1]?.arrive();
  await isThere('Оценено 3 из 5');
  expect(pageText()).not.toContain('Сервер не отвечает');
});

test('a failed grade can be retried from the current view without navigation', async () => {
  await gradeAndMoveOn();
  await saves[0]?.fail();
  await click(button('Повторить'));
  expect(saves[1]?.body).toEqual(saves[0]?.body);
  await saves[1]?.fail();
  await isThere(FAILED);
  await click(button('Повторить'));
  await saves[2]?.arrive();
  await isGone(FAILED);
  await isThere('Оценено 3 из 5');
  expect(who()).toBe('Белов Борис');
  await click(button('Предыдущий ответ'));
  expect(comment()?.value).toBe('Где рисунок?');
});

test('a failed grade is also shown on the other views, with a link back', async () => {
  await gradeAndMoveOn();
  await show({ view: 'held' });
  await saves[0]?.fail();
  await isThere(FAILED);
  await click(button('К ответу'));
  await isAt('Алёшина Анна');
  expect(comment()?.value).toBe('Где рисунок?');
});

test('a grade that fails while its answer is open again is reported there', async () => {
  await gradeAndMoveOn();
  await click(button('Предыдущий ответ'));
  expect(who()).toBe('Алёшина Анна');
  await saves[0]?.fail();
  await isThere('Сервер не отвечает.');
  await type(comment(), 'Где же рисунок?');
  expect(pageText()).not.toContain('Сервер не отвечает.');
});

test('saving a grade does not close an open key correction', async () => {
  await type(shown.container.querySelector('article input'), '3');
  await submit();
  await click(button('Исправить ключ…'));
  await saves[0]?.arrive();
  await isThere('Оценено 3 из 5');
  expect(who()).toBe('Алёшина Анна');
  expect(pageText()).toContain('Исправить ключ вопроса 1?');
});

test('a colleague who grades is offered no correction of the key', async () => {
  await isThere('Исправить ключ…');
  level = 'grade';
  await act(() => client.invalidateQueries());
  await act(() => vi.waitFor(() => expect(button('Исправить ключ…')).toBeUndefined()));
});

test('on a phone an opened answer focuses the name, and going back focuses its row', async () => {
  isNarrow = true;
  await show({});
  const row = () => shown.container.querySelectorAll<HTMLElement>('nav li button')[1];
  await act(async () => row()?.focus());
  await click(row());
  await isAt('Белов Борис');
  expect(document.activeElement?.textContent).toBe('Белов Борис');
  await act(async () => (button('К списку') as HTMLElement | undefined)?.focus());
  await click(button('К списку'));
  await act(() => vi.waitFor(() => expect(document.activeElement).toBe(row())));
});

test('answers of further pages that wait are counted, and the grade leads on', async () => {
  total = 540;
  waiting = [{ ...anna, points: 5, gradedBy: 'key' }];
  await show({ show: 'all' });
  await isThere('На проверке: 2 из 540');
  expect(pageText()).toContain('Сохранить и дальше');
});

test('trials are shown by a URL parameter, labelled, on every view', async () => {
  await isThere('Показать пробные: 1');
  expect(pageText()).not.toContain('Лаптева');
  const theSwitch = () => shown.container.querySelector<HTMLInputElement>('input[type=checkbox]');
  await click(theSwitch());
  expect(search).toEqual({ trials: '1' });
  await isThere('О. В. Лаптева');
  expect(pageText()).toContain('пробная');
  await show({ ...search, view: 'held' });
  await click(button('Не дошло'));
  expect(search).toEqual({ view: 'missing', trials: '1' });
  await click(theSwitch());
  expect(search).toEqual({ view: 'missing' });
});

test('held begins are listed, counted and chosen in the chosen class alone', async () => {
  begins = [heldBegin('a'), heldBegin('b'), heldBegin('c', { groups: ['9Б'] })];
  await show({ view: 'held' });
  await isThere('Поздние3');
  await click(button('Выбрать все без решения: 3'));
  await show({ view: 'held', class: '9А' });
  await isThere('Поздние2');
  expect(pageText()).not.toContain('Ученик c');
  await show({ view: 'held' });
  await isThere('Ученик c');
  // A choice does not outlast the list in which it was made.
  expect(shown.container.querySelector('input:checked')).toBeNull();
});
