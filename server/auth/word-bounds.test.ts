import { expect, test } from 'vitest';
import { isWordPassword } from './word-passwords.ts';

const isRefused = (password: string, context: readonly string[] = []): boolean =>
  isWordPassword(password, context, () => false);

function expectBounds(refused: readonly string[], accepted: readonly string[]): void {
  expect(refused.filter((password) => !isRefused(password))).toEqual([]);
  expect(accepted.filter((password) => isRefused(password))).toEqual([]);
}

/** Each bound from its two sides: the last password that is refused, and the first that is not. */
test.each([
  ['a word without numbers', ['zenit', 'Zenit!'], []],
  ['no word at all', [], ['20262026', 'Q20262026', '12345678', '']],
  ['48 signs', [`zenit${'1'.repeat(43)}`], [`zenit${'1'.repeat(44)}`]],
  ['four digits that are no year', ['zenit4829', '48zenit29'], ['zenit48291', '48zenit291']],
  ['one digit is no run', ['zenit56-4829'], ['zenit5-4829']],
  ['three kinds of signs, two more beside the word', ['zenit#%^@(2026'], ['zenit#%^@(-2026']],
  ['two words with nothing between them', ['mashakatya2026', 'katyamasha'], []],
  ['a part of three letters', [], ['mashaira2026', 'iramasha2026']],
  ['a pair with a word of the second group', ['kotleta2026'], ['mashakotleta2026']],
  ['two words, not three', ['Masha_Katya7', 'ANYA_IRA2026'], ['Masha_Katya_Olya7']],
  ['both parts are words', ['Zenit_Masha2026'], ['Zenit_Rabutene2026', 'Rabutene_Zenit2026']],
  ['a letter more beside a year', ['Zenit2026Q', 'Kotleta2026Q'], ['ZenitQ', 'Zenit7Q']],
  ['each number is obvious beside a letter', ['Zenit2026Q777'], ['Zenit2026Q48']],
  ['letters before the word', ['zheleznychelovek'], ['bzqzheleznychelovek']],
])('refuses up to the bound: %s', (_, refused, accepted) => expectBounds(refused, accepted));

test.each([
  ['at most as many digits as letters', ['P4r0l', '1g0r3k'], ['P4r01']],
  ['two digits in a row', ['Bar53lona'], ['Bar531ona']],
  ['a short word with a sign, not with a digit', ['l!sa2026', 'z3nit2026'], ['l1sa2026', 'k0t']],
  ['the year before it', ['2026M0skva'], []],
  ['digits of the word do not count as numbers', ['M0skva4829'], ['M0skva48291']],
  ['two signs at its end', ['ross!@2026'], ['ro$$!@2026']],
  ['sixteen readings', ['8l4d1m1rovna'], ['8l4d1m1rovn4']],
])('refuses signs in place of letters: %s', (_, refused, accepted) =>
  expectBounds(refused, accepted),
);

test.each([
  ['six letters', ['mOsKvA2026'], ['zEnIt2026']],
  ['a digit within', ['M0skva2026', 'm0SKVA2026'], ['m0SkVa2026']],
  ['the other layout', ['Gfhjkm2026', 'GFHJKM2026'], ['gFhJkM2026']],
])('refuses capitals at any place of a longer word only: %s', (_, refused, accepted) =>
  expectBounds(refused, accepted),
);

test('refuses a spelling that is longer than the word by three Latin letters or a Russian one', () => {
  expect(['anna', 'aannna', 'анна'].filter((password) => !isRefused(password))).toEqual([]);
  expect(['aannnaa', 'аннна'].filter((password) => isRefused(password))).toEqual([]);
});

test('refuses a name with «ё» in both spellings, of names with three letters at least', () => {
  const context = ['Жмёткин Ли', '', '57'];
  const own = ['Zhmyotkin2026', 'Zhmetkin2026', 'Жмёткин1', 'Жметкин1'];
  expect(own.filter((password) => !isRefused(password, context))).toEqual([]);
  expect(own.filter((password) => isRefused(password))).toEqual([]);
  expect(isRefused('Li2026', context)).toBe(false);
});

test('also refuses a common word of another language', () => {
  const isRefusedHere = (password: string) =>
    isWordPassword(password, [], (letters) => letters === 'dragon');
  expect(['Dragon2026', 'dr4gon1', '2026DRAGON!'].filter((text) => !isRefusedHere(text))).toEqual(
    [],
  );
  expect(isRefusedHere('Dragonfly2026')).toBe(false);
});
