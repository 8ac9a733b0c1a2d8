import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { PasswordForm } from './PasswordForm.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

let shown: Rendered;
const field = (label: string) => {
  const found = [...shown.container.querySelectorAll('label')].find(
    ({ textContent }) => textContent === label,
  );
  const input = shown.container.querySelector(`#${CSS.escape(found?.htmlFor ?? '')}`);
  if (!(input instanceof HTMLInputElement)) throw new Error(`No field ${label}`);
  return input;
};
const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
const type = (label: string, value: string) =>
  act(async () => {
    const input = field(label);
    setValue?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
const send = () => click(shown.container.querySelector('button[type=submit]'));
const fill = async (current: string, next: string, again: string) => {
  await type('Нынешний пароль', current);
  await type('Новый пароль', next);
  await type('Новый пароль ещё раз', again);
};
const words = () => shown.container.textContent;

beforeEach(async () => {
  vi.mocked(call).mockReset();
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <PasswordForm email="anna@school.ru" />
    </QueryClientProvider>,
  );
});
afterEach(() => shown.unmount());

test.each([
  ['', '', 'Введите нынешний пароль'],
  ['old', '', 'Пожалуйста, введите пароль'],
  ['old', 'Ab1', 'Пароль должен быть не менее 6 символов'],
  ['old', 'abcdef1', 'Пароль должен содержать хотя бы одну заглавную букву'],
  ['old', 'Abcdefg', 'Пароль должен содержать хотя бы одну цифру'],
])('%j with the new one %j shows «%s» and sends nothing', async (current, next, message) => {
  await fill(current, next, next);
  await send();
  expect(words()).toContain(message);
  expect(call).not.toHaveBeenCalled();
});

test('says that easy passwords are refused before the first try', () => {
  expect(words()).toContain('Пароль, который легко угадать, сайт не примет');
});

test('different new passwords are reported at the second field, which gets the focus', async () => {
  await fill('old', 'Abcdef1', 'Abcdef2');
  await send();
  expect(words()).toContain('Пароли не совпадают');
  expect(document.activeElement).toBe(field('Новый пароль ещё раз'));
  expect(call).not.toHaveBeenCalled();
});

test('a wrong current password is reported at its field, and no input is lost', async () => {
  vi.mocked(call).mockRejectedValueOnce(
    new ApiFailure({
      kind: 'refused',
      method: 'PUT',
      url: '/',
      status: 422,
      code: 'WRONG_PASSWORD',
      message: 'Нынешний пароль не подошёл',
    }),
  );
  await fill('wrong', 'Abcdef1', 'Abcdef1');
  await send();
  expect(words()).toContain('Нынешний пароль не подошёл');
  expect(document.activeElement).toBe(field('Нынешний пароль'));
  expect(field('Новый пароль').value).toBe('Abcdef1');
});

test('a changed password clears the fields and reports how many other sessions ended', async () => {
  vi.mocked(call).mockResolvedValueOnce({ endedSessions: 2 });
  await fill('old', 'Abcdef1', 'Abcdef1');
  await send();
  expect(words()).toContain('Пароль изменён. Входов на других устройствах завершено: 2');
  expect(field('Нынешний пароль').value).toBe('');
});
