import { createRequire } from 'node:module';
import type * as LanguageCommon from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { studentPassword } from '#server/groups/student-password.ts';
import { isCommonPassword } from './common-passwords.ts';
import { speakablePassword } from './first-admin.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a password is verified against its own hash only', async () => {
  const storedHash = await hashPassword('Kolokol7');
  expect(await verifyPassword(storedHash, 'Kolokol7')).toBe(true);
  expect(await verifyPassword(storedHash, 'kolokol7')).toBe(false);
  expect(await verifyPassword(undefined, 'no account has this password')).toBe(false);
});

test.each([
  ['Qwerty123', true],
  ['QWERTY123!!!', true],
  ['Gfhjkm123', true],
  // From the list, unchanged.
  ['Trustno1', true],
  ['87654321VV', true],
  // Its commonest words with digits and signs appended.
  ['Dragon2019', true],
  ['Monkey7!', true],
  // Russian words with the keyboard in the other layout, also with a sign that is a letter there.
  ['Yfcntymrf1', true],
  ['Cjkysirj5', true],
  ['K.,jdm77', true],
  ['Ghbywtccf2024', true],
  // A Latin one in the Russian layout: «user».
  ['гыук1234', true],
  ['Demo2026', false],
  ['Kolokol7', false],
  ['Rabutene482', false],
  ['Rapolidu-48271', false],
])('%s is a common password: %s', (password, expected) => {
  expect(isCommonPassword(password)).toBe(expected);
});

test('the list holds more than ten thousand, and each of them is refused', () => {
  const { dictionary } = createRequire(import.meta.url)(
    '@zxcvbn-ts/language-common',
  ) as typeof LanguageCommon;
  const known = dictionary['passwords-common'];
  expect(known.length).toBeGreaterThan(10_000);
  expect(known.filter((password) => !isCommonPassword(password))).toEqual([]);
});

test('no generated password of a thousand is a common one', () => {
  const made = Array.from({ length: 1_000 }, () => [studentPassword(), speakablePassword()]).flat();
  expect(made.filter(isCommonPassword)).toEqual([]);
});
