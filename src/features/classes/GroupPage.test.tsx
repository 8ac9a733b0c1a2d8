import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  type AnyRouter,
  type RouterHistory,
} from '@tanstack/react-router';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createPupils,
  getGroup,
  removeMember,
  setJoinCode,
  updateGroup,
  type StudentCard,
} from '#contract/groups.ts';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { GroupPage } from './GroupPage.tsx';

// Modals without their history entries.
vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

const GROUP = '01900000-0000-7000-8000-000000000001';
const CARD: StudentCard = {
  userId: '01900000-0000-7000-8000-000000000002',
  userName: 'Иванова Мария',
  email: 'ivanova@klass.local',
  password: 'лес-река-7',
};

const MEMBER = {
  userId: CARD.userId,
  userName: CARD.userName,
  email: CARD.email,
  mayResetPassword: true,
};

let group: { name: string; joinCode: string | null; members: (typeof MEMBER)[] };
let shown: Rendered;
let history: RouterHistory;
let router: AnyRouter;
let reply: (cards: { items: StudentCard[] }) => void;

/** What the server does with the class. */
function changeGroup(route: Route, body: unknown): unknown {
  if (route.name === setJoinCode.name) {
    const { enabled } = body as { enabled: boolean };
    group = { ...group, joinCode: enabled ? 'K7M2QX' : null };
    return { joinCode: group.joinCode };
  }
  if (route.name === updateGroup.name) group = { ...group, ...(body as { name: string }) };
  else if (route.name === removeMember.name) group = { ...group, members: [] };
  else throw new Error(`Not expected: ${route.name}`);
  return {};
}

beforeEach(async () => {
  group = { name: '9А', joinCode: null, members: [] };
  Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });
  vi.mocked(call).mockImplementation((async (route: Route, { body }: { body?: unknown }) => {
    if (route.name === createPupils.name) return new Promise((resolve) => (reply = resolve));
    if (route.name !== getGroup.name) return changeGroup(route, body);
    return {
      groupId: GROUP,
      ownerId: CARD.userId,
      owner: 'О. В. Лаптева',
      level: 'owner',
      memberCount: group.members.length,
      createdAt: '2026-05-22T15:00:00.000Z',
      assignedTests: 0,
      ...group,
    };
  }) as never);
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => <GroupPage groupId={GROUP} withOwner={false} />,
  });
  const elsewhere = createRoute({
    getParentRoute: () => root,
    path: '/elsewhere',
    component: () => <p>Другая страница</p>,
  });
  window.history.replaceState(null, '', '/');
  history = createBrowserHistory();
  router = createRouter({ routeTree: root.addChildren([page, elsewhere]), history });
  await router.load();
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
});
afterEach(async () => {
  await shown.unmount();
  history.destroy();
});

const button = (label: string) =>
  [...shown.container.querySelectorAll('button')].find(({ textContent }) => textContent === label);
const words = () => shown.container.textContent;
/** Whether the browser asks for confirmation before the tab is closed or reloaded. */
const asksToUnload = (): boolean =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
const leave = () => act(async () => void router.navigate({ to: '/elsewhere' } as never));
const says = (text: string) => act(async () => vi.waitFor(() => expect(words()).toContain(text)));

/** Presses «Создать» for one student; the reply is pending. */
const order = async () => {
  await says('Без почты, списком');
  await click(button('Без почты, списком'));
  await act(async () => {
    const list = shown.container.querySelector('textarea');
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(
      list,
      CARD.userName,
    );
    list?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await click(button('Проверить список'));
  await click(button('Создать 1 учётную запись'));
  await act(async () =>
    vi.waitFor(() => expect(shown.container.querySelector('[data-loading]')).not.toBeNull()),
  );
};

test('leaving asks while accounts are being created, and until their cards were printed', async () => {
  await says('Без почты, списком');
  expect(asksToUnload()).toBe(false);
  await order();
  expect(asksToUnload()).toBe(true);
  await leave();
  await says('Пароли пропадут вместе с этой страницей');
  // The reply arrives while the confirmation is open, which stays valid.
  await act(async () => reply({ items: [CARD] }));
  await says(CARD.password);
  await click(button('Остаться'));
  expect(words()).toContain(CARD.password);
  expect(asksToUnload()).toBe(true);
  await act(async () => void window.dispatchEvent(new Event('afterprint')));
  expect(asksToUnload()).toBe(false);
  await leave();
  await says('Другая страница');
});

test('on return from the cards the focus is on the list of students', async () => {
  await order();
  await act(async () => reply({ items: [CARD] }));
  await says(CARD.password);
  await act(async () => void window.dispatchEvent(new Event('afterprint')));
  await click(button('К списку класса'));
  expect(document.activeElement?.textContent).toBe('Ученики');
});

/** The last announcement of the page, and the text shown. */
const spoken = () => [...document.querySelectorAll('body > * output')].at(-1)?.textContent;
const hears = (text: string) => act(() => vi.waitFor(() => expect(spoken()).toBe(text)));

/** Opens the menu of a button and chooses an entry. */
async function take(menu: string, entry: string): Promise<void> {
  await click(shown.container.querySelector(`button[aria-label="${menu}"]`));
  const items = [...shown.container.querySelectorAll('[role=menuitem]')];
  await click(items.find(({ textContent }) => textContent === entry));
}

test('announces a new code, disabled joining, a removed student and a new name', async () => {
  group = { name: '9А', joinCode: null, members: [MEMBER] };
  await says('Включить');
  await click(button('Включить'));
  await hears('Новый код для вступления: K7M-2QX');
  await says(MEMBER.userName);
  await click(button('Выключить'));
  await click(document.querySelector('[role=dialog] [data-autofocus] ~ button'));
  await hears('Вступление по коду выключено');
  await take(`Действия: ${MEMBER.userName}`, 'Убрать из класса…');
  await click(button('Убрать'));
  await hears(`Больше не в классе: ${MEMBER.userName}`);
  await take('Действия с классом', 'Переименовать…');
  await act(async () => {
    const name = document.querySelector<HTMLInputElement>('[role=dialog] input');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(name, '9Б');
    name?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await click(button('Сохранить'));
  await hears('Класс переименован: 9Б');
});
