import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eraseUser, getTeaching, handOverTeaching, type AdminUser } from '#contract/admin.ts';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { EraseForm } from './EraseForm.tsx';
import { TeachingForm } from './TeachingForm.tsx';

vi.mock('#app/api/call.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }));

const TEACHING = {
  tests: 12,
  groups: 3,
  bankEntries: 40,
  templates: 0,
  runningAttempts: 2,
  successors: [
    { userId: 's1', userName: 'Белова Анна', email: 'belova@school.test', role: 2 },
    { userId: 's2', userName: 'Белова Анна', email: 'anna@school.test', role: 2 },
    { userId: 's3', userName: 'Главный', email: 'admin@school.test', role: 1 },
  ],
};
const user = { userId: 'u1', userName: 'Иванова Мария', ownsTeaching: true } as AdminUser;
const sent: { route: Route; input: unknown }[] = [];

let shown: Rendered;
beforeEach(() => {
  sent.length = 0;
  vi.mocked(call).mockImplementation(async (route: Route, input: unknown) => {
    if (route !== getTeaching) sent.push({ route, input });
    return route === eraseUser ? {} : TEACHING;
  });
});
afterEach(() => shown.unmount());

const open = async (children: ReactNode) => {
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>,
  );
  await act(() => vi.waitUntil(() => choice('archive') !== null));
};
const choice = (value: string) =>
  shown.container.querySelector<HTMLInputElement>(`input[name=fate][value=${value}]`);
const select = () => shown.container.querySelector('select');
const choose = (value: string) =>
  act(async () => {
    const field = select();
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(field, value);
    field?.dispatchEvent(new Event('change', { bubbles: true }));
  });
const typeName = (value: string) =>
  act(async () => {
    const input = shown.container.querySelector<HTMLInputElement>('input[name=name]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const submit = () => click(shown.container.querySelector('button[type=submit]'));
const text = () => shown.container.textContent;

test('«Передать тесты и классы» counts what passes and requires a successor', async () => {
  const onDone = vi.fn<(message: string) => void>();
  await open(<TeachingForm user={user} onDone={onDone} />);
  expect(text()).toContain('12 тестов, 3 класса, 40 вопросов банка');
  expect(text()).toContain('Сейчас идут 2 попытки');
  expect([...(select()?.options ?? [])].map((option) => option.textContent)).toEqual([
    'Не выбрано',
    'Белова Анна · belova@school.test',
    'Белова Анна · anna@school.test',
    'Главный · Администратор',
  ]);
  await submit();
  expect(text()).toContain('Выберите, кому передать');
  expect(sent).toEqual([]);
  await choose('s2');
  await submit();
  const input = { params: { userId: 'u1' }, body: { successorId: 's2' } };
  expect(sent).toEqual([{ route: handOverTeaching, input }]);
  expect(onDone).toHaveBeenCalledWith(
    'Передано: 12 тестов, 3 класса, 40 вопросов банка. Теперь владеет Белова Анна',
  );
});

test('an archive needs no successor, and outside of an erasure nothing is erased', async () => {
  const onDone = vi.fn<(message: string) => void>();
  await open(<TeachingForm user={user} onDone={onDone} />);
  expect(choice('erase')).toBeNull();
  await click(choice('archive'));
  expect(select()).toBeNull();
  await submit();
  const input = { params: { userId: 'u1' }, body: { successorId: null } };
  expect(sent).toEqual([{ route: handOverTeaching, input }]);
  expect(onDone).toHaveBeenCalledOnce();
});

test.each([
  ['pass', { successorId: 's1' }, 'Останутся без имени: поставленные оценки'],
  ['archive', { archive: '1' }, 'Останутся без имени: тесты, классы, банк и шаблоны в архиве'],
  ['erase', {}, 'банк вопросов и тесты, которых никто не проходил'],
] as const)('an erasure of a teacher with «%s»', async (fate, query, said) => {
  const onErased = vi.fn<() => void>();
  await open(<EraseForm user={user} onErased={onErased} onKeep={() => undefined} />);
  expect(text()).toContain('12 тестов, 3 класса, 40 вопросов банка');
  await click(choice(fate));
  await typeName('Иванова Мария');
  if (fate === 'pass') {
    await submit();
    expect(sent).toEqual([]);
    await choose('s1');
  }
  expect(text()).toContain(said);
  await submit();
  expect(sent).toEqual([{ route: eraseUser, input: { params: { userId: 'u1' }, query } }]);
  expect(onErased).toHaveBeenCalledOnce();
});
