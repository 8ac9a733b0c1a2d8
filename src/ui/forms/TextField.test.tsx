import { afterEach, expect, test } from 'vitest';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { TextField } from './TextField.tsx';

let screen: Rendered;
afterEach(() => screen.unmount());

const input = () => {
  const found = screen.container.querySelector('input');
  if (!found) throw new Error('No field');
  return found;
};
const descriptionOf = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(/\s+/)
    .map((id) => document.getElementById(id)?.textContent ?? '');

test('a field without notes is described by nothing and is not wrong', async () => {
  screen = await render(<TextField label="Почта" type="email" error="" />);
  expect(input().labels?.[0]?.textContent).toBe('Почта');
  expect(input().hasAttribute('aria-describedby')).toBe(false);
  expect(input().hasAttribute('aria-invalid')).toBe(false);
});

test('a wrong field is marked invalid, with its help and its error', async () => {
  const help = 'Не меньше 6 символов';
  const error = 'Пожалуйста, введите пароль';
  screen = await render(
    <TextField label="Пароль" type="password" description={help} error={error} />,
  );
  expect(input().getAttribute('aria-invalid')).toBe('true');
  expect(descriptionOf(input())).toEqual([error, help]);
});

test('showing a password leaves the value and announces that it is visible', async () => {
  screen = await render(
    <TextField label="Пароль" type="password" error="" defaultValue="Vesna2026" />,
  );
  const toggle = screen.container.querySelector('button[aria-label="Показать пароль"]');
  expect(toggle?.getAttribute('type')).toBe('button');
  expect(toggle?.getAttribute('aria-pressed')).toBe('false');
  await click(toggle);
  expect(toggle?.getAttribute('aria-pressed')).toBe('true');
  expect([input().type, input().value]).toEqual(['text', 'Vesna2026']);
});
