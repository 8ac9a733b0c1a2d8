import * as v from 'valibot';
import { expect, test } from 'vitest';
import { NewPassword } from '#contract/registration.ts';
import { isCommonPassword } from '#server/auth/common-passwords.ts';
import { newJoinCode } from './join-codes.ts';
import { studentPassword } from './student-password.ts';

const many = <T>(make: () => T) => Array.from({ length: 2_000 }, make);

test('every generated password is accepted by registration, and none is a common one', () => {
  for (const password of many(studentPassword)) {
    expect(v.safeParse(NewPassword, password).success, password).toBe(true);
    expect(isCommonPassword(password)).toBe(false);
  }
});

test('no generated password has characters that can be confused on paper', () => {
  for (const password of many(studentPassword)) expect(password).toMatch(/^[A-Z][a-z]{7}[2-9]{3}$/);
  expect(many(studentPassword).join('')).not.toMatch(/[01OoIil]/);
});

test('passwords and codes hardly ever repeat', () => {
  expect(new Set(many(studentPassword)).size).toBeGreaterThan(1_990);
  expect(new Set(many(newJoinCode)).size).toBeGreaterThan(1_990);
});
