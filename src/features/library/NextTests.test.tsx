import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { callWithFacts } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { NextTests } from './NextTests.tsx';

vi.mock('#app/api/call.ts', () => ({ callWithFacts: vi.fn() }));

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
  vi.restoreAllMocks();
});

const device = {
  outbox: { subscribe: () => () => undefined },
  storage: createMemoryStorage(),
  serverNow: () => 0,
};

async function open(): Promise<string> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  shown = await render(
    <DeviceContext value={device as unknown as DeviceServices}>
      <QueryClientProvider client={client}>
        <NextTests owner="anna" />
      </QueryClientProvider>
    </DeviceContext>,
  );
  await act(async () => {});
  return shown.container.textContent;
}

test('a home page without the list says so: no tests and no network look different', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.mocked(callWithFacts).mockRejectedValue(
    new ApiFailure({ kind: 'unreachable', method: 'GET', url: '/', message: 'no network' }),
  );
  expect(await open()).toContain('Этот список ещё не открывали на этом устройстве, а сети нет.');
});

test('a home page without tests to take is empty', async () => {
  vi.mocked(callWithFacts).mockResolvedValue({
    reply: { items: [] },
    headers: new Headers(),
  } as never);
  expect(await open()).toBe('');
});
