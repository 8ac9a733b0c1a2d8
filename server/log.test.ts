import * as v from 'valibot';
import { expect, test } from 'vitest';
import { makeLog } from './log.ts';

const logged = (error: unknown): string => {
  const lines: string[] = [];
  makeLog('info', { write: (line) => void lines.push(line) }).error({ err: error }, 'failed');
  return lines.join('');
};

test('a database error is logged with its code, without values', () => {
  const error = Object.assign(
    new Error('duplicate key value violates unique constraint "users_email"'),
    {
      code: '23505',
      constraint: 'users_email',
      detail: 'Key (lower(email))=(anna@school.test) already exists.',
    },
  );
  const line = logged(error);
  expect(line).toContain('23505');
  expect(line).toContain('users_email');
  expect(line).not.toContain('anna');
});

test('an error of a schema names what was expected and not what was given', () => {
  const line = logged(v.safeParse(v.number(), 'тайный ответ').issues?.[0] ?? new Error('no issue'));
  expect(line).not.toContain('тайный');
  const { issues } = v.safeParse(v.object({ points: v.number() }), { points: 'тайный ответ' });
  const thrown = logged(issues && new v.ValiError(issues));
  expect(thrown).toContain('Expected number');
  expect(thrown).not.toContain('тайный');
});

test('the cause is logged too', () => {
  const line = logged(new Error('outer', { cause: new Error('inner') }));
  expect(line).toContain('inner');
  expect(line).toContain('log.test.ts');
});
