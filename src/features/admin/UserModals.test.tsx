import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AdminUser } from '#contract/admin.ts';
import { call } from '#app/api/call.ts';
import { click, press, render, type Rendered } from '#app/ui/test-render.tsx';
import { EraseForm } from './EraseForm.tsx';
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
  vi.mocked(call).mockReset().mockResolvedValue({});
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
const closings = {
  cross: () => click(shown.container.querySelector('button[aria-label="Закрыть"]')),
  Escape: () => press(shown.container.querySelector('[role=dialog]'), 'Escape'),
};

test.each(['cross', 'Escape'] as const)(
  '«Новый пользователь» with something typed asks before it is closed by %s',
  async (closing) => {
    await type('Иванова');
    await closings[closing]();
    expect(onClose).not.toHaveBeenCalled();
    await click(button('Вернуться к форме'));
    expect(name()?.value).toBe('Иванова');
    await closings[closing]();
    await click(button('Закрыть без сохранения'));
    expect(onClose).toHaveBeenCalledTimes(1);
  },
);

test('«Новый пользователь» with nothing typed, or nothing left of it, closes at once', async () => {
  await type('Иванова');
  await type('');
  await closings.cross();
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(call).not.toHaveBeenCalled();
});

test('blocking states that unsent answers are not lost', async () => {
  const user = { userId: 'u1', userName: 'Иванова Мария' } as AdminUser;
  const props = { onClose, onChanged, onPassword: () => undefined };
  await shown.show(
    <QueryClientProvider client={new QueryClient()}>
      <UserModals pending={{ kind: 'block', user }} {...props} />
    </QueryClientProvider>,
  );
  expect(shown.container.textContent).toContain('Заблокировать: Иванова Мария?');
  expect(shown.container.textContent).toContain(
    'Ответы, которые ещё не отправлены, останутся на устройствах и уйдут, если снова открыть вход.',
  );
  await click(button('Оставить'));
  expect(call).not.toHaveBeenCalled();
});

test('second factors are removed only after confirming the owner’s request', async () => {
  const user = { userId: 'u1', userName: 'Иванова Мария' } as AdminUser;
  await shown.show(
    <QueryClientProvider client={new QueryClient()}>
      <UserModals
        pending={{ kind: 'factors', user }}
        onClose={onClose}
        onChanged={onChanged}
        onPassword={() => undefined}
      />
    </QueryClientProvider>,
  );
  const { container } = shown;
  await click(button('Сбросить'));
  expect(call).not.toHaveBeenCalled();
  expect(container.querySelector('[role=alert]')?.textContent).toBe(
    'Убедитесь, кто просит, и отметьте это',
  );
  await click(container.querySelector('input[type=checkbox]'));
  await click(button('Сбросить'));
  expect(call).toHaveBeenCalledTimes(1);
});

test('an erasure names what is lost, and needs the person’s name', async () => {
  const user = { userId: 'u1', userName: 'Иванова Мария' } as AdminUser;
  const onErased = vi.fn<() => void>();
  await shown.show(<EraseForm user={user} onErased={onErased} onKeep={() => undefined} />);
  expect(shown.container.textContent).toContain(
    'Пропадут навсегда: учётная запись, входы на всех устройствах, попытки, ответы, файлы',
  );
  const erase = () => click(shown.container.querySelector('button[type=submit]'));
  const typeName = (value: string) =>
    act(async () => {
      const input = shown.container.querySelector<HTMLInputElement>('input[name=name]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
      input?.dispatchEvent(new Event('input', { bubbles: true }));
    });
  await typeName('Иванова Марина');
  await erase();
  expect(call).not.toHaveBeenCalled();
  expect(shown.container.textContent).toContain('Имя не совпадает');
  vi.mocked(call).mockResolvedValueOnce({});
  await typeName(' иванова  мария');
  await erase();
  expect(onErased).toHaveBeenCalledOnce();
});
