import { expect, test } from 'vitest';
import { redirectSearch, safeRedirectPath } from './redirect-path.ts';

test.each(['/', '/tests/my', '/tests/1/results/2?a=b#c', '/tests?searchQuery=%2F%2Fhost'])(
  'the path %s of this origin is accepted',
  (path) => {
    expect(safeRedirectPath(path)).toBe(path);
  },
);

test.each([
  '//host',
  '///host',
  '/\\host',
  '\\\\host',
  '/tests\\..\\x',
  '/..//host',
  '/.//host',
  'https://host/',
  'javascript:alert(1)',
  'tests/my',
  '',
  '/\t/host',
  '/\n/host',
  '\u0000/tests',
  '/tests\u007f',
  ' /tests',
  `/${'a'.repeat(3_000)}`,
  42,
  null,
  undefined,
  { path: '/tests' },
])('%j leads elsewhere and is refused', (value) => {
  expect(safeRedirectPath(value)).toBeNull();
});

test.each(['/login', '/login/', '/registration?redirect_path=/login'])(
  'the sign-in screen %s is no goal of a sign-in',
  (path) => {
    expect(safeRedirectPath(path)).toBeNull();
  },
);

test('an unacceptable redirect disappears from the search', () => {
  // Explicitly undefined: the router would pass on the raw value of an omitted key.
  expect(redirectSearch({ redirect_path: '//host', other: 1 })).toStrictEqual({
    redirect_path: undefined,
  });
  expect(redirectSearch({ redirect_path: '/tests/my' })).toEqual({ redirect_path: '/tests/my' });
});
