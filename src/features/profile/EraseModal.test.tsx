import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { EraseModal } from './EraseModal.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

const user = {
  userId: '01900000-0000-7000-8000-000000000001',
  userName: 'Анна Кузнецова',
  email: 'anna@school.ru',
  role: 0,
  isAdmin: false,
} as const;

let shown: Rendered;
const onErased = vi.fn<() => void>();

const open = async (unsent: number) => {
  const outbox = { unsentCount: async () => unsent, subscribe: () => () => undefined };
  const device = { outbox } as unknown as DeviceServices;
  shown = await render(
    <DeviceContext value={device}>
      <EraseModal opened user={user} onClose={() => undefined} onErased={onErased} />
    </DeviceContext>,
  );
};
const input = () => shown.container.querySelector('input');
const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
const type = (value: string) =>
  act(async () => {
    setValue?.call(input(), value);
    input()?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const send = () => click(shown.container.querySelector('button[type=submit]'));
const words = () => shown.container.textContent;

beforeEach(() => {
  vi.mocked(call).mockReset();
  onErased.mockReset();
});
afterEach(() => shown.unmount());

test('the modal lists what is deleted, what stays, and unsent answers of this device', async () => {
  await open(2);
  expect(words()).toContain('Останутся без вашего имени');
  expect(words()).toContain('Пропадут навсегда: учётная запись, входы на всех устройствах,');
  expect(words()).toContain('2 ответа ещё не на сервере и останутся только на этом устройстве');
  expect(document.activeElement?.textContent).toBe('Оставить');
});

test('without unsent answers they are not mentioned', async () => {
  await open(0);
  expect(words()).not.toContain('ещё не на сервере');
});

test('without the password, and with a wrong one, nothing is erased', async () => {
  await open(0);
  await send();
  expect(words()).toContain('Введите нынешний пароль');
  expect(call).not.toHaveBeenCalled();
  vi.mocked(call).mockRejectedValueOnce(
    new ApiFailure({
      kind: 'refused',
      method: 'POST',
      url: '/',
      status: 422,
      code: 'WRONG_PASSWORD',
      message: 'Нынешний пароль не подошёл',
    }),
  );
  await type('wrong');
  await send();
  expect(words()).toContain('Нынешний пароль не подошёл');
  expect(document.activeElement).toBe(input());
  expect(onErased).not.toHaveBeenCalled();
});

test('with the right password the account is erased', async () => {
  await open(0);
  vi.mocked(call).mockResolvedValueOnce({});
  await type('Klass2026');
  await send();
  expect(onErased).toHaveBeenCalledOnce();
});
