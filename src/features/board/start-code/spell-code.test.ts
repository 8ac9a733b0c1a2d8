import { expect, test } from 'vitest';
import { JOIN_CODE_SIGNS, readJoinCode } from '#domain/join-codes.ts';
import { spellCode } from './spell-code.ts';

test('a code is read aloud by the Russian names of its letters, group by group', () => {
  expect(spellCode('HK4M 7TX2 P9C3')).toBe('эн ка 4 эм, 7 тэ ха 2, эр 9 эс 3');
});

test('every letter of a code has a name, and the Russian letter named is accepted', () => {
  const russian: Readonly<Record<string, string>> = {
    эс: 'С',
    эн: 'Н',
    ка: 'К',
    эм: 'М',
    эр: 'Р',
    тэ: 'Т',
    ха: 'Х',
  };
  for (const sign of JOIN_CODE_SIGNS) {
    const name = spellCode(sign);
    expect(readJoinCode(russian[name] ?? name), name).toBe(sign);
  }
});
