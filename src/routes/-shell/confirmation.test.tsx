import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfirmationHost } from '#app/features/session/ConfirmationHost.tsx';
import { UserModals } from '#app/features/admin/UserModals.tsx';
import { click, press, render, type Rendered } from '#app/ui/test-render.tsx';

// Modals without their history entries.
vi.mock('@tanstack/react-router', () => ({
  useBlocker: () => ({ status: 'idle' }),
  useRouter: () => undefined,
}));

const USER = {
  userId: '01900000-0000-7000-8000-000000000001',
  userName: 'Ольга Белова',
  email: 'olga@school.test',
  role: 1,
  isBlocked: false,
  createdAt: '2026-03-02T08:00:00.000Z',
  lastSeenAt: null,
  isLastAdmin: false,
  hasSecondFactor: false,
} as const;
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const needed = () =>
  json(403, {
    code: 'CONFIRMATION_REQUIRED',
    message: 'Ничего не изменено: сначала подтвердите, что это вы. Повторите действие',
    requestId: 'r1',
  });

let isConfirmed: boolean;
let bodies: unknown[];
let shown: Rendered;
const onClose = vi.fn();
const onChanged = vi.fn();

beforeEach(async () => {
  isConfirmed = false;
  bodies = [];
  onClose.mockReset();
  onChanged.mockReset();
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/confirmation/start'))
      return json(200, {
        challenge: 'c'.repeat(43),
        methods: ['password'],
        passkey: null,
        expiresAt: '2026-03-02T09:00:00.000Z',
      });
    if (url.endsWith('/confirmation')) {
      isConfirmed = true;
      return json(200, { confirmedUntil: '2026-03-02T09:00:00.000Z' });
    }
    if (!isConfirmed) return needed();
    bodies.push(JSON.parse(typeof init.body === 'string' ? init.body : '{}'));
    return json(200, { ...USER, email: 'belova@school.test' });
  });
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <ConfirmationHost />
      <UserModals
        pending={{ kind: 'edit', user: USER }}
        onClose={onClose}
        onChanged={onChanged}
        onPassword={() => undefined}
      />
    </QueryClientProvider>,
  );
});
afterEach(async () => {
  await shown.unmount();
  vi.unstubAllGlobals();
});

const field = (name: string) =>
  document.querySelector<HTMLInputElement>(`input[name=${name}], input[type=${name}]`);
const type = (input: HTMLInputElement | null, value: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const button = (label: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label);
const confirmation = () =>
  [...document.querySelectorAll('[role=dialog]')].find(({ textContent }) =>
    textContent?.includes('Подтвердите, что это вы'),
  );

async function save(): Promise<void> {
  await type(field('email'), 'belova@school.test');
  await click(button('Сохранить'));
  await expect.poll(() => field('password')).not.toBeNull();
}

test('a confirmation over a form sends what was typed once, and closes neither', async () => {
  await save();
  expect(onChanged).not.toHaveBeenCalled();
  await type(field('password'), 'Kolokolchik7');
  await click(button('Подтвердить'));
  await expect.poll(() => onChanged.mock.calls.length).toBe(1);
  expect(bodies).toEqual([{ email: 'belova@school.test' }]);
  expect(onClose).not.toHaveBeenCalled();
});

test('a dismissed confirmation changes nothing and leaves the form with what was typed', async () => {
  await save();
  await press(confirmation(), 'Escape');
  await expect.poll(() => confirmation()).toBeUndefined();
  expect([onClose.mock.calls.length, onChanged.mock.calls.length, bodies.length]).toEqual([
    0, 0, 0,
  ]);
  expect(field('email')?.value).toBe('belova@school.test');
  expect(document.body.textContent).toContain('Ничего не изменено: сначала подтвердите');
  expect(button('Сохранить')?.disabled).toBe(false);
});
