import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SignedIn } from '#contract/auth.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { RegistrationForm } from './RegistrationForm.tsx';
import { SignInForm } from './SignInForm.tsx';

const user = {
  userId: '01900000-0000-7000-8000-000000000001',
  userName: 'Анна Кузнецова',
  email: 'anna@school.ru',
  role: 0,
  isAdmin: false,
};
const signedIn = { token: 'secret', expiresAt: '2026-05-22T15:00:00.000Z', user };

let screen: Rendered;
const received: SignedIn[] = [];
const onSignedIn = (reply: SignedIn) => void received.push(reply);

const reply = (status: number, body: unknown) => () =>
  Promise.resolve(
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }),
  );
const refusal = (status: number, code: string, message: string, details?: unknown) =>
  reply(status, { code, message, requestId: 'r1', details });

const bodies: unknown[] = [];
let answer: () => Promise<Response>;

beforeEach(() => {
  received.length = 0;
  bodies.length = 0;
  answer = reply(200, signedIn);
  vi.stubGlobal('fetch', (_address: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    return answer();
  });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await screen.unmount();
});

const field = (label: string) => {
  const found = [...screen.container.querySelectorAll('label')].find(
    ({ textContent }) => textContent?.replace('*', '').trim() === label,
  );
  const input = screen.container.querySelector(`#${CSS.escape(found?.htmlFor ?? '')}`);
  if (!(input instanceof HTMLInputElement)) throw new Error(`No field ${label}`);
  return input;
};

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
const type = (label: string, value: string) =>
  act(async () => {
    const input = field(label);
    setValue?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
const send = async () => {
  await click(screen.container.querySelector('button[type=submit]'));
  await act(async () =>
    vi.waitFor(() => expect(screen.container.querySelector('[data-loading]')).toBeNull()),
  );
};
const pageText = () => screen.container.textContent ?? '';

test('the sign-in explains what to do about a forgotten password', async () => {
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  expect(screen.container.querySelector('form')?.textContent).toContain(
    'Забыли пароль? Если вы ученик, попросите преподавателя его сбросить. Если преподаватель, попросите администратора школы.',
  );
});

test('an empty sign-in names both fields and moves to the first', async () => {
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  await send();
  expect(pageText()).toContain('Пожалуйста, введите почту');
  expect(pageText()).toContain('Пожалуйста, введите пароль');
  expect(document.activeElement).toBe(field('Почта'));
  expect(bodies).toEqual([]);
});

test('an invalid e-mail gets a different message from a missing one', async () => {
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  await type('Почта', 'anna.kuznetsova@');
  await type('Пароль', 'x');
  await send();
  expect(pageText()).toContain('Неверный формат электронной почты');
  expect(pageText()).not.toContain('Пожалуйста, введите');
});

test('typed values stay in the fields and are sent trimmed', async () => {
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  await type('Почта', ' anna@school.ru ');
  await type('Пароль', ' Demo 2026 ');
  expect(field('Пароль').value).toBe(' Demo 2026 ');
  await send();
  await vi.waitFor(() => expect(received).toHaveLength(1));
  expect(bodies).toEqual([{ email: 'anna@school.ru', password: ' Demo 2026 ' }]);
  expect(received[0]?.token).toBe('secret');
});

test('refused credentials show the server’s message at the form', async () => {
  answer = refusal(401, 'BAD_CREDENTIALS', 'Почта или пароль не подошли');
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  await type('Почта', 'anna@school.ru');
  await type('Пароль', 'wrong');
  await send();
  await vi.waitFor(() =>
    expect(screen.container.querySelector('[role=alert]')?.textContent).toBe(
      'Почта или пароль не подошли',
    ),
  );
  expect(field('Почта').value).toBe('anna@school.ru');
});

test('after too many wrong passwords the form shows when to retry and retains typed values', async () => {
  const message = 'Слишком много неверных паролей. Попробуйте снова через 2 мин';
  answer = refusal(429, 'TOO_MANY_LOGINS', message);
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  await type('Почта', 'anna@school.ru');
  await type('Пароль', 'wrong');
  await send();
  await vi.waitFor(() =>
    expect(screen.container.querySelector('[role=alert]')?.textContent).toBe(message),
  );
  expect([field('Почта').value, field('Пароль').value]).toEqual(['anna@school.ru', 'wrong']);
});

test('an unresponsive server is not reported as a wrong password', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  await type('Почта', 'anna@school.ru');
  await type('Пароль', 'Demo2026');
  await send();
  await vi.waitFor(() =>
    expect(pageText()).toContain('Сервер не отвечает. Проверьте сеть и повторите'),
  );
});

test('the password can be shown and hidden', async () => {
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  expect(field('Пароль').type).toBe('password');
  const toggle = screen.container.querySelector('button[aria-label="Показать пароль"]');
  await click(toggle);
  expect(field('Пароль').type).toBe('text');
  await click(toggle);
  expect(field('Пароль').type).toBe('password');
});

test.each([
  ['', 'Пожалуйста, введите пароль'],
  ['Ab1', 'Пароль должен быть не менее 6 символов'],
  ['abcdef1', 'Пароль должен содержать хотя бы одну заглавную букву'],
  ['Абвгдеж1', 'Пароль должен содержать хотя бы одну заглавную букву'],
  ['Abcdefg', 'Пароль должен содержать хотя бы одну цифру'],
])('the new password %j is refused with «%s»', async (password, message) => {
  screen = await render(<RegistrationForm onSignedIn={onSignedIn} />);
  await type('Имя и фамилия', 'Анна');
  await type('Почта', 'anna@school.ru');
  await type('Пароль', password);
  await send();
  expect(pageText()).toContain(message);
  expect(document.activeElement).toBe(field('Пароль'));
  expect(bodies).toEqual([]);
});

test('a registration requires a name', async () => {
  screen = await render(<RegistrationForm onSignedIn={onSignedIn} />);
  await type('Имя и фамилия', '   ');
  await send();
  expect(pageText()).toContain('Пожалуйста, введите логин');
});

test('a duplicate e-mail is reported at its focused field', async () => {
  const taken = 'Эта почта уже зарегистрирована. Войдите или укажите другую';
  answer = refusal(409, 'EMAIL_TAKEN', taken);
  screen = await render(<RegistrationForm onSignedIn={onSignedIn} />);
  await type('Имя и фамилия', 'Анна');
  await type('Почта', 'anna@school.ru');
  await type('Пароль', 'Demo2026');
  await send();
  await vi.waitFor(() => expect(pageText()).toContain(taken));
  await vi.waitFor(() => expect(document.activeElement).toBe(field('Почта')));
});

const step = {
  challenge: 'a-secret-of-this-device',
  methods: ['totp', 'recovery'],
  passkey: null,
  expiresAt: '2026-05-22T15:10:00.000Z',
};
const needsStep = refusal(403, 'SECOND_FACTOR_REQUIRED', 'Остался второй шаг', step);

/** Submits a correct password and waits for the second step. */
async function openSecondStep(): Promise<void> {
  answer = needsStep;
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  await type('Почта', 'anna@school.ru');
  await type('Пароль', 'Kolokol7');
  await click(screen.container.querySelector('button[type=submit]'));
  // The lazy chunk is loaded now; React renders it at the end of an `act`.
  await vi.waitFor(
    async () => {
      await act(() => Promise.resolve());
      field('Код из приложения');
    },
    { timeout: 20_000 },
  );
}

test('a second step accepts a code as people type it, and signs in', async () => {
  await openSecondStep();
  expect(pageText()).toContain('Пароль подошёл. Остался второй шаг');
  expect(document.activeElement).toBe(field('Код из приложения'));
  await type('Код из приложения', '12');
  await send();
  expect(pageText()).toContain('В коде шесть цифр');
  answer = reply(200, signedIn);
  await type('Код из приложения', '123 456');
  await send();
  expect(bodies.at(-1)).toEqual({
    challenge: step.challenge,
    proof: { method: 'totp', code: '123456' },
  });
  expect(received).toEqual([signedIn]);
});

test('a wrong code is reported at its field, and a recovery code works instead', async () => {
  await openSecondStep();
  answer = refusal(422, 'WRONG_FACTOR', 'Код не подошёл', {
    fields: [{ field: 'code', message: 'Код не подошёл' }],
  });
  await type('Код из приложения', '000000');
  await send();
  expect(pageText()).toContain('Код не подошёл');
  expect(document.activeElement).toBe(field('Код из приложения'));
  const other = [...screen.container.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Ввести код восстановления',
  );
  await click(other ?? null);
  answer = reply(200, signedIn);
  await type('Код восстановления', 'abcd-efgh jklm-npqr stuv-wxyz');
  await send();
  expect(bodies.at(-1)).toMatchObject({
    proof: { method: 'recovery', code: 'ABCDEFGHJKLMNPQRSTUVWXYZ' },
  });
  expect(received).toEqual([signedIn]);
});

test('the second step leads back to the password', async () => {
  await openSecondStep();
  const back = [...screen.container.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Назад к почте и паролю',
  );
  await click(back ?? null);
  expect(field('Почта').value).toBe('');
});

test('personal fields declare their purpose to the browser', async () => {
  const purposes = () =>
    [...screen.container.querySelectorAll('input')]
      .filter((one) => !one.closest('[hidden]'))
      .map((one) => [one.getAttribute('type'), one.getAttribute('autocomplete')]);
  screen = await render(<SignInForm onSignedIn={onSignedIn} />);
  expect(purposes()).toEqual([
    ['email', 'username'],
    ['password', 'current-password'],
  ]);
  await screen.unmount();
  screen = await render(<RegistrationForm registration="open" onSignedIn={onSignedIn} />);
  expect(purposes()).toEqual([
    ['text', 'name'],
    ['email', 'username'],
    ['password', 'new-password'],
  ]);
});
