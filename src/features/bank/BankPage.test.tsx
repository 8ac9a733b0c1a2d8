import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BankEntry } from '#contract/bank.ts';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import type { QuestionFormProps } from '#app/questions/form/QuestionForm.tsx';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { BankPage } from './BankPage.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('#app/questions/form/QuestionForm.tsx', () => ({
  QuestionForm: ({ question, onChange }: QuestionFormProps) => (
    <button
      type="button"
      onClick={() =>
        onChange({ ...question, text: question.text === 'Правка' ? 'Дальше' : 'Правка' }, 'text')
      }
    >
      Править «{question.text}»
    </button>
  ),
}));

vi.setConfig({ testTimeout: 30_000 });

const id = (number: number) => `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const entry = (number: number): BankEntry => ({
  entryId: id(number),
  question: {
    questionId: id(number),
    kind: 'file',
    text: `Задача ${number}`,
    points: 2,
    maxBytes: 1_000,
    accept: [],
  },
  theme: 'physics',
  uses: [],
  usesCount: 0,
  facility: null,
  attempts: 0,
  updatedAt: '2026-05-21T07:00:00.000Z',
});

let shown: Rendered;
/** Resolves the pending save. */
let saved: () => void;
let go: (to: string) => Promise<void>;
let client: QueryClient;

const words = () => shown.container.textContent ?? '';
const isThere = (text: string) =>
  act(() => vi.waitFor(() => expect(words()).toContain(text), { timeout: 10_000 }));
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(
    (one) => one.textContent?.trim() === name || one.getAttribute('aria-label') === name,
  );
async function edit(number: number): Promise<void> {
  const name = `Действия с вопросом «Задача ${number}»`;
  await click(button(name));
  const entries = [...document.querySelectorAll(`[role=menu][aria-label="${name}"] button`)];
  await click(entries.find((item) => item.textContent?.trim() === 'Изменить…'));
  await click(button(`Править «Задача ${number}»`));
}

async function open(viewerId = 'laptewa'): Promise<void> {
  const root = createRootRoute();
  const page = (path: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component });
  const router = createRouter({
    routeTree: root.addChildren([
      page('/bank', () => <BankPage viewerId={viewerId} search={{}} onSearch={() => undefined} />),
      page('/groups', () => <p>Классы</p>),
      page('/login', () => <p>Вход</p>),
    ]),
    history: createMemoryHistory({ initialEntries: ['/bank'] }),
  });
  go = (to) =>
    act(async () => {
      // As after an expired session.
      const search = to === '/login' ? { redirect_path: '/bank' } : {};
      void router.navigate({ to, search } as never);
    });
  client = new QueryClient();
  shown = await render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await isThere('Задача 2');
}

beforeEach(async () => {
  sessionStorage.clear();
  Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  vi.mocked(call).mockImplementation(async ({ name }: Route) => {
    if (name === 'listBank') return { items: [entry(1), entry(2)], total: 2 };
    if (name === 'saveBankEntry') return new Promise<void>((resolve) => (saved = resolve));
    return { total: 2, themes: [], topics: [], difficulties: [], kinds: [], tags: [], shared: [] };
  });
  await open();
});

afterEach(async () => {
  await shown.unmount();
  vi.unstubAllGlobals();
});

test('closing an unsaved form asks for confirmation', async () => {
  await edit(1);
  await click(button('Закрыть'));
  await isThere('Правки вопроса «Задача 1» не сохранены.');
  await go('/groups');
  await isThere('Уйти без сохранения?');
  await click(button('Остаться'));
  expect(words()).toContain('Правки вопроса «Задача 1» не сохранены.');
});

test('a late save reply leaves the form of another question open', async () => {
  await edit(1);
  await click(button('Сохранить в банке'));
  await click(button('Закрыть'));
  await edit(2);
  await act(async () => saved());
  await isThere('сохранён в банке');
  expect(button('Править «Правка»')).toBeDefined();
});

/** The sent saves, the latest first. */
const lastSent = () =>
  vi
    .mocked(call)
    .mock.calls.filter(([{ name }]) => name === 'saveBankEntry')
    .map(([, input]) => (input as { body: { question: { text: string } } }).body.question.text)
    .at(-1);

test('input typed during a save stays in the form and is saved next', async () => {
  await edit(1);
  await click(button('Сохранить в банке'));
  await click(button('Править «Правка»'));
  await act(async () => saved());
  await isThere('то, что вы написали после, ещё не сохранено');
  expect(button('Править «Дальше»')).toBeDefined();
  await click(button('Сохранить в банке'));
  expect(lastSent()).toBe('Дальше');
  await act(async () => saved());
  await isThere('Вопрос «Дальше» сохранён в банке');
  expect(button('Править «Дальше»')).toBeUndefined();
});

test('input typed during a save and dropped with the form is not saved later', async () => {
  await edit(1);
  await click(button('Сохранить в банке'));
  await click(button('Править «Правка»'));
  await click(button('Закрыть'));
  await act(async () => saved());
  await isThere('Правки вопроса «Правка» не сохранены.');
  await click(button('Вернуться к правке'));
  expect(button('Править «Дальше»')).toBeDefined();
});

test('a form closed during a save has no unsaved edits afterwards', async () => {
  await edit(1);
  await click(button('Сохранить в банке'));
  await click(button('Закрыть'));
  await isThere('не сохранены');
  await act(async () => saved());
  await isThere('Вопрос «Правка» сохранён в банке');
  expect(words()).not.toContain('не сохранены');
});

test('edits interrupted by an expired session are restored, to their author only', async () => {
  await edit(1);
  await click(button('Закрыть'));
  await edit(2);
  client.clear();
  await go('/login');
  await isThere('Вход');
  await shown.unmount();
  await open('orlow');
  expect(words()).not.toContain('не сохранены');
  await shown.unmount();
  await open();
  await isThere('Правки вопроса «Задача 1» не сохранены.');
  await isThere('Правки вопроса «Задача 2» не сохранены.');
  await click(button('Вернуться к правке'));
  expect(button('Править «Правка»')).toBeDefined();
  await click(button('Сохранить в банке'));
  expect(lastSent()).toBe('Правка');
});
