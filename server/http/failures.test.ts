import { expect, test } from 'vitest';
import { refusalOf } from './failures.ts';
import { Refusal } from './refusal.ts';

const failure = (properties: object, message = 'failed') =>
  Object.assign(new Error(message), properties);

test.each([
  ['a full disk in the database', failure({ code: '53100' })],
  ['too many connections', failure({ code: '53300' })],
  ['a shutdown by an administrator', failure({ code: '57P01' })],
  ['a database that starts', failure({ code: '57P03' })],
  ['a connection that broke', failure({ code: '08006' })],
  ['a deadlock', failure({ code: '40P01' })],
  [
    'an account that was erased meanwhile',
    failure({ code: '23503', constraint: 'attempts_user_id_fkey' }),
  ],
  ['a server that became a replica', failure({ code: '25006' })],
  ['a refused connection', failure({ code: 'ECONNREFUSED' })],
  ['a socket that is gone', failure({ code: 'ENOENT', syscall: 'connect' })],
  ['a full disk here', failure({ code: 'ENOSPC' })],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ['a terminated connection', new Error('Connection terminated unexpectedly')],
  ['the same as a cause', new Error('wrapped', { cause: failure({ code: '53100' }) })],
])('%s is 503 with Retry-After', (_, error) => {
  const refusal = refusalOf(error);
  expect([refusal.code, refusal.status]).toEqual(['UNAVAILABLE', 503]);
  expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
});

test.each([
  ['a number too large for its column', failure({ code: '22003' })],
  ['bytes that are no text', failure({ code: '22021' })],
])('%s is refused as input', (_, error) => {
  expect(refusalOf(error).code).toBe('BAD_REQUEST');
});

test.each([
  ['a bug', new TypeError('x is undefined')],
  ['wrong SQL', failure({ code: '42601' })],
  ['a broken rule of the schema', failure({ code: '23505' })],
  ['a broken reference', failure({ code: '23503', constraint: 'attempts_test_id_fkey' })],
  ['a file that is missing', failure({ code: 'ENOENT', syscall: 'open' })],
  ['no error at all', 'text'],
  ['nothing', undefined],
])('%s is INTERNAL and reveals nothing', (_, error) => {
  const refusal = refusalOf(error);
  expect([refusal.code, refusal.status]).toEqual(['INTERNAL', 500]);
  expect(refusal.message).not.toContain('undefined');
});

test('several that failed together are UNAVAILABLE where each of them is transient, INTERNAL otherwise', () => {
  const deadlock = failure({ code: '40P01' });
  const together = (...errors: unknown[]) => refusalOf(new AggregateError(errors)).code;
  expect(together(deadlock, failure({ code: '57P01' }))).toBe('UNAVAILABLE');
  expect(together(deadlock, new TypeError('x is undefined'))).toBe('INTERNAL');
  expect(together()).toBe('INTERNAL');
});

test('a refusal stays itself', () => {
  const refusal = new Refusal('GONE');
  expect(refusalOf(refusal)).toBe(refusal);
});
