import { QueryClientProvider, focusManager, onlineManager, useQuery } from '@tanstack/react-query';
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import { call, callWithFacts } from '#app/api/call.ts';
import { createQueryClient } from '#app/app/query-client.ts';
import { JoinPage } from '#app/features/classes/JoinPage.tsx';
import { myTestsQuery } from '#app/features/library/queries.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import { updateOffers } from '#app/offers/update-offers.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { useOffersUpdate } from './use-offers-update.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(), callWithFacts: vi.fn() }));
vi.mock('#app/offers/update-offers.ts', () => ({ updateOffers: vi.fn() }));

const OWNER = 'anna';
const MINUTE = 60_000;
const ITEMS = [{ id: 't1', offlineStart: true }];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-05-21T07:00:00Z') });
  vi.mocked(updateOffers).mockReset().mockResolvedValue();
  vi.mocked(callWithFacts).mockReset();
  assign(ITEMS);
});
afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
});

function assign(items: readonly { id: string; offlineStart: boolean }[]): void {
  const reply = { reply: { items }, headers: new Headers() } as never;
  vi.mocked(callWithFacts).mockResolvedValue(reply);
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function MyTests() {
  useQuery(myTestsQuery);
  return null;
}

function Page({ path, children }: { path: string; children: ReactNode }) {
  useOffersUpdate(path);
  return path === '/tests/my' ? <MyTests /> : children;
}

/** The app of somebody who is signed in; each page mounts its own frame. */
async function openApp(role: RoleNumber = ROLE.student) {
  const session = createSessionStore(localStorage);
  session.signIn({
    token: 'secret',
    expiresAt: '2026-05-24T07:00:00Z',
    user: { userId: OWNER, userName: 'Анна', email: 'a@school.test', role, isAdmin: false },
  });
  const client = createQueryClient();
  const at = (path: string | null, children?: ReactNode) => (
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <DeviceContext value={{} as DeviceServices}>
          {path !== null && (
            <Page key={path} path={path}>
              {children}
            </Page>
          )}
        </DeviceContext>
      </SessionContext>
    </QueryClientProvider>
  );
  const { show, container } = await render(at(null));
  return {
    /** Null: the page of an attempt. */
    open: async (path: string | null, children?: ReactNode) => {
      await show(at(path, children));
      await pass(1_000);
    },
    container,
  };
}

const updates = () => vi.mocked(updateOffers).mock.calls.length;

test('whatever page a student opens, offers are fetched once, and again after five minutes', async () => {
  const { open } = await openApp();
  await open('/help');
  expect(updateOffers).toHaveBeenCalledExactlyOnceWith(
    expect.anything(),
    OWNER,
    ITEMS,
    expect.any(Function),
  );
  await open('/profile');
  await open('/');
  expect(updates()).toBe(1);
  await pass(5 * MINUTE);
  expect(updates()).toBe(2);
});

test('a test that is assigned while any page is open comes by itself, at a hidden one once it is seen', async () => {
  assign([]);
  const { open } = await openApp();
  await open('/');
  expect(updates()).toBe(0);
  focusManager.setFocused(false);
  assign(ITEMS);
  await pass(10 * MINUTE);
  expect(updates()).toBe(0);
  focusManager.setFocused(true);
  await pass(1_000);
  focusManager.setFocused(undefined);
  expect(updates()).toBe(1);
  assign([...ITEMS]);
  await pass(5 * MINUTE);
  expect(updates()).toBe(2);
});

test('without a network nothing is fetched, and its return fetches', async () => {
  const { open } = await openApp();
  for (const expected of [1, 2]) {
    onlineManager.setOnline(false);
    await open('/');
    await open('/help');
    expect(updates()).toBe(expected - 1);
    onlineManager.setOnline(true);
    await pass(1_000);
    expect(updates()).toBe(expected);
  }
});

test('a visit of «Мои тесты» fetches again after a minute', async () => {
  const { open } = await openApp();
  await open('/tests/my');
  await open('/');
  await open('/tests/my');
  expect(updates()).toBe(1);
  await open('/');
  await pass(MINUTE);
  await open('/tests/my');
  expect(updates()).toBe(2);
});

test('a page that is hidden when the network returns fetches once it is seen', async () => {
  const { open } = await openApp();
  await open('/');
  vi.mocked(callWithFacts).mockClear();
  focusManager.setFocused(false);
  onlineManager.setOnline(false);
  await pass(MINUTE);
  onlineManager.setOnline(true);
  await pass(MINUTE);
  expect(callWithFacts).not.toHaveBeenCalled();
  expect(updates()).toBe(1);
  focusManager.setFocused(true);
  await pass(1_000);
  focusManager.setFocused(undefined);
  expect(updates()).toBe(2);
});

const join = () => {
  const component = () => <JoinPage code="ABCD2345" isStudent />;
  return <RouterProvider router={createRouter({ routeTree: createRootRoute({ component }) })} />;
};

test('who joins a class gets its tests at once', async () => {
  assign([]);
  vi.mocked(call).mockResolvedValue({ name: '9А', owner: 'О. В. Лаптева', isMember: false });
  const { open, container } = await openApp();
  await open('/join/ABCD2345', join());
  assign(ITEMS);
  await click(container.querySelector('button'));
  await pass(1_000);
  expect(container.textContent).toContain('Вы в классе 9А');
  expect(updates()).toBe(1);
});

test('a test that «Мои тесты» shows as new is fetched at once', async () => {
  assign([]);
  const { open } = await openApp();
  await open('/');
  await pass(20_000);
  assign(ITEMS);
  await open('/tests/my');
  expect(updates()).toBe(1);
  await pass(20_000);
  assign([...ITEMS, { id: 't2', offlineStart: true }]);
  // The list is fetched whenever it is seen again, the offers at most once a minute.
  await act(async () => focusManager.setFocused(false));
  await act(async () => focusManager.setFocused(undefined));
  await pass(1_000);
  expect(updates()).toBe(2);
  await pass(20_000);
  await act(async () => focusManager.setFocused(false));
  await act(async () => focusManager.setFocused(undefined));
  await pass(1_000);
  expect(updates()).toBe(2);
});

/** Each download lasts ten seconds. @returns the ids of downloaded tests */
function downloadSlowly(): string[] {
  const downloaded: string[] = [];
  vi.mocked(updateOffers).mockImplementation(async (_, owner, tests, isWanted) => {
    for (const { id } of tests) {
      if (!isWanted()) throw new Error(`${owner} has left`);
      if (downloaded.includes(id)) continue;
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      downloaded.push(id);
    }
  });
  return downloaded;
}

test('an update goes on from page to page, stops at an attempt, and is finished after it', async () => {
  assign(['t1', 't2', 't3', 't4'].map((id) => ({ id, offlineStart: true })));
  const downloaded = downloadSlowly();
  const { open } = await openApp();
  await open('/');
  await open('/help');
  await pass(10_000);
  expect(downloaded).toEqual(['t1']);
  await open(null);
  await pass(60 * MINUTE);
  expect(updates()).toBe(1);
  expect(downloaded).toEqual(['t1', 't2']);
  await open('/');
  await pass(20_000);
  expect(downloaded).toEqual(['t1', 't2', 't3', 't4']);
});

test('an update that an attempt stopped is finished after a short one, too', async () => {
  assign(['t1', 't2'].map((id) => ({ id, offlineStart: true })));
  const downloaded = downloadSlowly();
  const { open } = await openApp();
  await open('/');
  await open(null);
  await pass(20_000);
  expect(downloaded).toEqual(['t1']);
  await open('/');
  await pass(20_000);
  expect(downloaded).toEqual(['t1', 't2']);
});

test.each([ROLE.teacher, ROLE.admin])(
  'a teacher’s pages (role %i) ask for nothing, except «Мои тесты»',
  async (role) => {
    const { open } = await openApp(role);
    await open('/');
    await pass(5 * MINUTE);
    expect(callWithFacts).not.toHaveBeenCalled();
    await open('/tests/my');
    expect(updates()).toBe(1);
  },
);

test('without a test that may begin without a network nothing more is loaded', async () => {
  assign([{ id: 't1', offlineStart: false }]);
  const { open } = await openApp();
  await open('/');
  expect(callWithFacts).toHaveBeenCalledTimes(1);
  expect(updates()).toBe(0);
});
