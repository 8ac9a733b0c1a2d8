import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '#app/api/call.ts';
import { click, press, render, type Rendered } from '#app/ui/test-render.tsx';
import { UserModals } from './UserModals.tsx';

// Modals without their history entries.
vi.mock('#app/api/call.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({
  useBlocker: () => ({ status: 'idle' }),
  useRouter: () => undefined,
}));

let shown: Rendered;
const onClose = vi.fn();
const onChanged = vi.fn();

beforeEach(async () => {
  onClose.mockReset();
  onChanged.mockReset();
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <UserModals
        pending={{ kind: 'new' }}
        onClose={onClose}
        onChanged={onChanged}
        onPassword={() => undefined}
      />
    </QueryClientProvider>,
  );
});
afterEach(() => shown.unmount());

const name = () => shown.container.querySelector<HTMLInputElement>('input[name=userName]');
const type = (value: string) =>
  act(async () => {
    const input = name();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const button = (label: string) =>
  [...shown.container.querySelectorAll('button')].find(({ textContent }) => textContent === label);
const ways = {
  cross: () => click(shown.container.querySelector('button[aria-label="Закрыть"]')),
  Escape: () => press(shown.container.querySelector('[role=dialog]'), 'Escape'),
};

test.each(['cross', 'Escape'] as const)(
  '«Новый пользователь» with something typed asks before it is closed by %s',
  async (way) => {
    await type('Иванова');
    await ways[way]();
    expect(onClose).not.toHaveBeenCalled();
    await click(button('Вернуться к форме'));
    expect(name()?.value).toBe('Иванова');
    await ways[way]();
    await click(button('Закрыть без сохранения'));
    expect(onClose).toHaveBeenCalledTimes(1);
  },
);

test('«Новый пользователь» with nothing typed, or nothing left of it, closes at once', async () => {
  await type('Иванова');
  await type('');
  await ways.cross();
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(call).not.toHaveBeenCalled();
});
