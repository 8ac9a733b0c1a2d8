import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import type { Route } from '#contract/route.ts';
import type { SecondFactor } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { createFormDraftStore } from '#app/lib/form-draft.ts';
import { encryptFormDrafts, eraseFormDrafts, showFormDrafts } from '#app/lib/form-draft-storage.ts';
import { secondFactorQuery } from '#app/features/profile/queries.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import { importDeviceKey } from '#app/storage/cipher.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { DeviceKeyRow } from '#app/storage/rows.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { SecondFactorSection } from './SecondFactorSection.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({
  useBlocker: () => ({ status: 'idle' }),
  useRouter: () => undefined,
}));

const olga = {
  userId: '01900000-0000-7000-8000-000000000001',
  userName: 'Ольга Белова',
  email: 'olga@school.test',
  role: 2,
  isAdmin: false,
} as const;
const deviceKey = 'A'.repeat(43);
const at = '2026-05-22T08:00:00.000Z';
const NONE: SecondFactor = { isRequired: true, totp: null, passkeys: [], recoveryCodesLeft: 0 };
const SET_UP = { ...NONE, totp: { createdAt: at, lastUsedAt: null }, recoveryCodesLeft: 10 };

/** Whether the factor is set up on the server. */
let isSetUp: boolean;
beforeEach(() => {
  isSetUp = false;
  localStorage.clear();
  sessionStorage.clear();
  vi.stubGlobal('isSecureContext', true);
  vi.mocked(call).mockImplementation(async ({ name }: Route) => {
    if (name === 'currentUser')
      return {
        user: olga,
        expiresAt: at,
        ...(isSetUp ? { deviceKey } : { mustSetUpFactor: true }),
      };
    if (name === 'getSecondFactor') return isSetUp ? SET_UP : NONE;
    if (name === 'startTotp')
      return { challenge: 'c'.repeat(43), secret: 'ABCD', uri: 'otpauth://totp/a?secret=ABCD' };
    isSetUp = true;
    return { state: SET_UP, recoveryCodes: ['AAAA-BBBB'] };
  });
});

/** The profile of a person whose sign-in brought no key. */
async function open() {
  const storage = createMemoryStorage();
  const opened: string[] = [];
  const outbox = {
    openRows: async (owner: string, key: string) => {
      opened.push(`${owner} ${key}`);
      return true;
    },
  };
  const wake = vi.fn(async () => null);
  const device = { outbox, storage, scheduler: { wake }, serverNow: () => 0, timeZone: 'UTC' };
  const session = createSessionStore(localStorage);
  session.signIn({ token: 'secret', expiresAt: at, user: olga });
  showFormDrafts(olga.userId);
  const client = new QueryClient();
  const { container, unmount } = await render(
    <SessionContext value={session}>
      <DeviceContext value={device as unknown as DeviceServices}>
        <QueryClientProvider client={client}>
          <SecondFactorSection />
        </QueryClientProvider>
      </DeviceContext>
    </SessionContext>,
  );
  await waitForShown(() => expect(container.textContent).toContain('Школа требует'));
  return { client, storage, opened, unmount, wake };
}

const button = (label: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label);
const typeCode = (code: string) =>
  act(async () => {
    const input = document.querySelector<HTMLInputElement>('input[name=code]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, code);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });

test('the key of the device comes as soon as a required factor is set up, and opens the person’s forms', async () => {
  const store = createFormDraftStore({ kind: 'bank', owner: olga.userId }, v.string());
  showFormDrafts(olga.userId);
  store.save('Правка');
  showFormDrafts(null);
  await encryptFormDrafts(() => importDeviceKey(deviceKey));
  const encrypted = Object.entries(sessionStorage);
  eraseFormDrafts(olga.userId);
  for (const [key, text] of encrypted) sessionStorage.setItem(key, text);

  const { opened, unmount, wake } = await open();
  expect(opened).toEqual([]);
  expect(store.read()).not.toBe('Правка');
  await click(button('Добавить приложение с кодами'));
  await waitForShown(() => expect(document.querySelector('input[name=code]')).not.toBeNull());
  await typeCode('123456');
  await click(button('Включить'));
  await waitForShown(() => expect(opened).toEqual([`${olga.userId} ${deviceKey}`]));
  await waitForShown(() => expect(wake).toHaveBeenCalledOnce());
  expect(store.read()).toBe('Правка');
  await unmount();
});

/** The factor was set up, and the reply to it lost. */
const readAgain = (client: QueryClient) =>
  act(async () => {
    isSetUp = true;
    await client.invalidateQueries(secondFactorQuery);
  });

test('it comes after a lost reply to the set-up as well, and once', async () => {
  const { client, opened, unmount, wake } = await open();
  await readAgain(client);
  await waitForShown(() => expect(wake).toHaveBeenCalledOnce());
  await unmount();
  expect(opened).toHaveLength(1);
});

test('a key that is on the device is not requested again', async () => {
  const { client, storage, opened, unmount } = await open();
  const key = await importDeviceKey(deviceKey);
  const row = { owner: olga.userId, key, signIn: 's1' } as DeviceKeyRow;
  await storage.write(['deviceKeys'], (tx) => tx.put('deviceKeys', row));
  await readAgain(client);
  await act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0)));
  expect(opened).toEqual([]);
  await unmount();
});

test('without TLS there is no key to store', async () => {
  vi.stubGlobal('isSecureContext', false);
  const { client, opened, unmount } = await open();
  await readAgain(client);
  await act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0)));
  expect(opened).toEqual([]);
  await unmount();
});
