import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { ApiFailure } from '#app/api/failure.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { NewPersonForm } from './PersonForms.tsx';

let screen: Rendered;
afterEach(() => screen.unmount());

const field = (name: string, index = 0) => {
  const found = screen.container.querySelectorAll<HTMLInputElement>(`input[name=${name}]`)[index];
  if (!found) throw new Error(`No field ${name}`);
  return found;
};
const type = (name: string, value: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
      field(name),
      value,
    );
    field(name).dispatchEvent(new Event('input', { bubbles: true }));
  });

test('a refused role is shown at the focused roles, and the chosen one is sent', async () => {
  const refusal = new ApiFailure({
    kind: 'refused',
    method: 'POST',
    url: '/',
    code: 'VALIDATION',
    message: 'Отказ',
    details: { fields: [{ field: 'body.role', message: 'Такой роли нет' }] },
  });
  const sent: unknown[] = [];
  screen = await render(
    <NewPersonForm
      save={async (person) => {
        sent.push(person);
        throw refusal;
      }}
      onDirty={() => undefined}
    />,
  );
  expect(screen.container.textContent).toContain('Пароль, который легко угадать, сайт не примет');
  await type('userName', 'Иванова');
  await type('email', 'ivanova@demo.ru');
  await click(field('role', 1));
  await click(screen.container.querySelector('button[type=submit]'));
  expect(sent).toEqual([
    { userName: 'Иванова', email: 'ivanova@demo.ru', password: undefined, role: 2 },
  ]);
  const group = screen.container.querySelector('fieldset');
  const note = document.getElementById(group?.getAttribute('aria-describedby') ?? '');
  expect(note?.textContent).toBe('Такой роли нет');
  expect(document.activeElement).toBe(field('role'));
});
