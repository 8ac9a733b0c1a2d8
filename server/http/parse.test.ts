import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parseInput } from './parse.ts';
import { Refusal } from './refusal.ts';

const Login = v.strictObject({
  email: v.pipe(v.string(), v.maxLength(10, 'Слишком длинно')),
  kind: v.optional(v.picklist(['open', 'variant'])),
});

function problemsOf(value: unknown): { field: string; message: string }[] {
  try {
    parseInput(Login, value);
  } catch (error) {
    if (error instanceof Refusal) return (error.details as { fields: [] }).fields;
    throw error;
  }
  return [];
}

test.each([
  [{ email: 'а'.repeat(11) }, 'email', 'Слишком длинно'],
  [{}, 'email', 'Поле не заполнено'],
  [{ email: 'a', kind: 'сочинение' }, 'kind', 'Неверное значение'],
  [{ email: 'a', лишнее: 1 }, 'лишнее', 'Лишнее поле'],
])('reports a problem of %j in Russian', (value, field, message) => {
  expect(problemsOf(value)).toEqual([{ field, message }]);
});

test.each([
  ['a long value', { email: 'a', kind: 'ы'.repeat(100_000) }],
  ['a long name', { email: 'a', ['ы'.repeat(100_000)]: 1 }],
  [
    'many names of control characters',
    Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`${index}${'\u0001'.repeat(100)}`, 1]),
    ),
  ],
])('the reply stays below 20 KB with %s', (_, value) => {
  const reply = JSON.stringify(problemsOf(value));
  expect(Buffer.byteLength(reply)).toBeLessThan(20_000);
  expect(reply).not.toMatch(/Invalid|Expected/);
});
