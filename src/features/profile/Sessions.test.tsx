import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { Sessions } from './Sessions.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

const at = '2026-05-22T08:00:00.000Z';
const session = (id: string, isCurrent: boolean) => ({
  id,
  device: `Chrome, ${id}`,
  createdAt: at,
  lastUsedAt: at,
  isCurrent,
});

async function open(...items: ReturnType<typeof session>[]) {
  vi.mocked(call)
    .mockReset()
    .mockImplementation(async (route: Route) => (route.name === 'listSessions' ? { items } : {}));
  const device = { serverNow: () => Date.parse(at), timeZone: 'Europe/Moscow' } as DeviceServices;
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <QueryClientProvider client={new QueryClient()}>
        <Sessions />
      </QueryClientProvider>
    </DeviceContext>,
  );
  await act(() => vi.waitFor(() => expect(container.textContent).toContain('Chrome, here')));
  const button = (name: string) =>
    [...container.querySelectorAll('button')].find(
      (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
    );
  const sent = () =>
    vi
      .mocked(call)
      .mock.calls.map(([route, given]) => [route.name, given])
      .filter(([name]) => name !== 'listSessions');
  return { container, button, sent, unmount };
}

test('before the other sign-ins end it says that no unsent answer is lost', async () => {
  const { container, button, sent, unmount } = await open(
    session('here', true),
    session('there', false),
  );
  await click(button('Завершить все остальные входы'));
  expect(container.textContent).toContain(
    'Здесь вы останетесь. На остальных устройствах придётся войти заново; неотправленные ответы на них не пропадут и уйдут после входа.',
  );
  expect(sent()).toEqual([]);
  await click(button('Завершить'));
  expect(sent()).toEqual([['endOtherSessions', {}]]);
  await unmount();
});

test('one sign-in ends by its own button, and this one has none', async () => {
  const { button, sent, unmount } = await open(session('here', true), session('there', false));
  expect(button('Завершить вход: Chrome, here')).toBeUndefined();
  await click(button('Завершить вход: Chrome, there'));
  expect(sent()).toEqual([['endSession', { params: { sessionId: 'there' } }]]);
  await unmount();
});

test('without others there is nothing to end', async () => {
  const { button, unmount } = await open(session('here', true));
  expect(button('Завершить все остальные входы')).toBeUndefined();
  await unmount();
});
