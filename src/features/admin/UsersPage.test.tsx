import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { UsersPage } from './UsersPage.tsx';

// Modals without their history entries.
vi.mock('#app/api/call.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({
  useBlocker: () => ({ status: 'idle' }),
  useRouter: () => undefined,
}));

afterEach(() => vi.unstubAllGlobals());

test('an account created after its form was closed does not close another open form', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  let arrive: () => void = () => undefined;
  vi.mocked(call).mockImplementation(async ({ name }: Route) => {
    if (name !== 'createUser') return { items: [], total: 0 };
    return new Promise((resolve) => {
      arrive = () => resolve({ user: { userId: 'u2', userName: 'Иванова' }, password: null });
    });
  });
  const nothing = () => undefined;
  const { container, unmount } = await render(
    <DeviceContext value={{ serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices}>
      <QueryClientProvider client={new QueryClient()}>
        <UsersPage search={{}} onSearch={nothing} ownId="u1" onOwnChanged={nothing} />
      </QueryClientProvider>
    </DeviceContext>,
  );
  const field = (name: string) => container.querySelector<HTMLInputElement>(`input[name=${name}]`);
  const type = (name: string, value: string) =>
    act(async () => {
      const input = field(name);
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
      input?.dispatchEvent(new Event('input', { bubbles: true }));
    });
  const begin = () =>
    click(
      [...container.querySelectorAll('button')].find(
        ({ textContent }) => textContent === 'Новый пользователь',
      ),
    );
  await begin();
  await type('userName', 'Иванова');
  await type('email', 'ivanova@school.ru');
  await act(async () => {
    const sent = new Event('submit', { bubbles: true, cancelable: true });
    container.querySelector('[role=dialog] form')?.dispatchEvent(sent);
  });
  await click(container.querySelector('[role=dialog] button[aria-label="Закрыть"]'));
  await begin();
  await type('userName', 'Петрова');
  await act(async () => arrive());
  expect(container.textContent).toContain('Создана учётная запись: Иванова');
  expect(field('userName')?.value).toBe('Петрова');
  await unmount();
});
