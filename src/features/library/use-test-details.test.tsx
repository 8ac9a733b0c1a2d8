import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callWithFacts } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import { useTestDetails } from './use-test-details.ts';

vi.mock('#app/api/call.ts', () => ({ callWithFacts: vi.fn() }));
beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-05-22T06:00:00Z') }));
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a page that is open at the opening reads the test again, until the server calls it open', async () => {
  const startDate = '2026-05-22T06:10:00Z';
  const reply = (status: string) =>
    ({ reply: { status, startDate, endDate: null }, headers: new Headers() }) as never;
  vi.mocked(callWithFacts).mockResolvedValue(reply('scheduled'));
  function Status() {
    return useTestDetails('t1').data?.data.status;
  }
  const device = { serverNow: () => Date.now() } as DeviceServices;
  const { container } = await render(
    <QueryClientProvider client={new QueryClient()}>
      <DeviceContext value={device}>
        <Status />
      </DeviceContext>
    </QueryClientProvider>,
  );
  await pass(600_000);
  expect(container.textContent).toBe('scheduled');
  expect(callWithFacts).toHaveBeenCalledTimes(1);
  await pass(1_000);
  expect(callWithFacts).toHaveBeenCalledTimes(2);
  vi.mocked(callWithFacts).mockResolvedValue(reply('available'));
  await pass(16_000);
  expect(container.textContent).toBe('available');
  await pass(3_600_000);
  expect(callWithFacts).toHaveBeenCalledTimes(3);
});
