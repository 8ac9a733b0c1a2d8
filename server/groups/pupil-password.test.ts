import * as v from 'valibot';
import { expect, test } from 'vitest';
import { NewPassword } from '#contract/auth.ts';
import { isCommonPassword } from '#server/auth/common-passwords.ts';
import { newJoinCode } from './join-codes.ts';
import { pupilPassword } from './pupil-password.ts';

const many = <T>(make: () => T) => Array.from({ length: 2_000 }, make);

test('every generated password is one that registration takes, and none is a common one', () => {
  for (const password of many(pupilPassword)) {
    expect(v.safeParse(NewPassword, password).success, password).toBe(true);
    expect(isCommonPassword(password)).toBe(false);
  }
});

test('no generated password has signs that are taken for others on paper', () => {
  for (const password of many(pupilPassword)) expect(password).toMatch(/^[A-Z][a-z]{7}[2-9]{3}$/);
  expect(many(pupilPassword).join('')).not.toMatch(/[01OoIil]/);
});

test('passwords and codes hardly ever repeat', () => {
  expect(new Set(many(pupilPassword)).size).toBeGreaterThan(1_990);
  expect(new Set(many(newJoinCode)).size).toBeGreaterThan(1_990);
});
