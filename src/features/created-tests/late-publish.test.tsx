import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { TestSettings } from '#contract/authoring.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { TestActions } from './TestActions.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

const NOW = Date.parse('2026-09-01T09:00:00.000Z');
let shown: Rendered;
afterEach(() => shown.unmount());

const open = async (endTestTime: string | null) => {
  vi.mocked(call).mockReset().mockResolvedValue({});
  const test = { id: 'test', name: 'Силы', lifecycle: 'draft', attempts: 0, endTestTime } as const;
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <DeviceContext value={{ serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices}>
        <TestActions test={test satisfies Partial<TestSettings>} />
      </DeviceContext>
    </QueryClientProvider>,
  );
};
const button = (label: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label);
const published = () =>
  act(async () => vi.waitFor(() => expect(vi.mocked(call)).toHaveBeenCalledOnce()));

test('publishing warns about an end that has passed', async () => {
  await open('2026-09-01T09:00:00.000Z');
  await click(button('Опубликовать'));
  expect(document.body.textContent).toContain('Опубликовать тест, который уже закрыт?');
  expect(vi.mocked(call)).not.toHaveBeenCalled();
  await click(button('Опубликовать закрытым'));
  await published();
});

test.each([null, '2026-09-01T09:00:01.000Z'])(
  'with the end %s it publishes at once',
  async (end) => {
    await open(end);
    await click(button('Опубликовать'));
    await published();
  },
);
