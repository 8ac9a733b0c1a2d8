import { QueryClientProvider, focusManager, onlineManager } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import { callWithFacts } from '#app/api/call.ts';
import { createQueryClient } from '#app/app/query-client.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import { updateOffers } from '#app/offers/update-offers.ts';
import { render } from '#app/ui/test-render.tsx';
import { useOffersUpdate } from './use-offers-update.ts';

vi.mock('#app/api/call.ts', () => ({ callWithFacts: vi.fn() }));
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

function Page({ path }: { path: string }) {
  useOffersUpdate(path);
  return null;
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
  const at = (path: string | null) => (
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <DeviceContext value={{} as DeviceServices}>
          {path !== null && <Page key={path} path={path} />}
        </DeviceContext>
      </SessionContext>
    </QueryClientProvider>
  );
  const { show } = await render(at(null));
  return {
    /** Null: the page of an attempt. */
    open: async (path: string | null) => {
      await show(at(path));
      await pass(1_000);
    },
  };
}

const updates = () => vi.mocked(updateOffers).mock.calls.length;

test('whatever page a student opens, offers are fetched once, and again after five minutes', async () => {
  const { open } = await openApp();
  await open('/help');
  expect(updateOffers).toHaveBeenCalledExactlyOnceWith(expect.anything(), OWNER, ITEMS);
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

test('during an attempt nothing is fetched', async () => {
  const { open } = await openApp();
  await open('/');
  await open(null);
  await pass(60 * MINUTE);
  expect(updates()).toBe(1);
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
