import { createRequire } from 'node:module';
import type * as LanguageCommon from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { Refusal } from '#server/http/refusal.ts';
import { COMMON_PASSWORD, isCommonPassword, refuseCommonPassword } from './common-passwords.ts';

const { dictionary } = createRequire(import.meta.url)(
  '@zxcvbn-ts/language-common',
) as typeof LanguageCommon;

test.each([
  ['a listed password with signs after it', '111aaa!', true],
  ['ours, which the list lacks', 'user1234', true],
  ['one of the commonest with digits after it', '1q2w3e4r77', true],
  ['one of the commonest with five digits after it', '1q2w3e4r77391', false],
  ['a rare one, unchanged', 'syzygy', true],
  ['a rare one with a digit', 'syzygy7', false],
  ['one of the commonest in the other layout', '1й2ц3у4к5е6н', true],
])('%s: %s is refused: %s', (_, password, expected) => {
  expect(isCommonPassword(password)).toBe(expected);
});

test('words of three Latin letters are refused with a year after them, and only a few with one before', () => {
  const short = dictionary['passwords-common']
    .slice(0, 5_000)
    .filter((word) => /^[a-z]{3}$/.test(word));
  expect(short.length).toBeGreaterThan(0);
  expect(short.filter((word) => !isCommonPassword(`${word}2026`))).toEqual([]);
  expect(short.some((word) => !isCommonPassword(`2026${word}`))).toBe(true);
});

const person = { field: 'newPassword', userName: 'Шереметьева Аглая', email: 'kit@kedr.test' };
const refusalOf = (publicUrl: string | null, password: string): unknown => {
  try {
    refuseCommonPassword({ settings: { publicUrl } }, { ...person, password });
    return null;
  } catch (error) {
    return error;
  }
};

test.each([
  ['of the person', 'Aglaya2026'],
  ['of the mail', 'Kedr2026'],
  ['of the school', 'Gymnasium57'],
])('refuses at its field a password with the name %s', (_, password) => {
  const refusal = refusalOf('https://gymnasium.test', password);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({
    code: 'VALIDATION',
    details: { fields: [{ field: 'newPassword', message: COMMON_PASSWORD }] },
  });
});

test('does not refuse a strong one, nor the name of a school without an address', () => {
  expect(refusalOf('https://gymnasium.test', 'Rapolidu-48271')).toBeNull();
  expect(refusalOf(null, 'Gymnasium57')).toBeNull();
});
