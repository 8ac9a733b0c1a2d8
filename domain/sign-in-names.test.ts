import * as v from 'valibot';
import { expect, test } from 'vitest';
import { LoginBody } from '#contract/auth.ts';
import { signInName } from './sign-in-names.ts';

test.each([
  ['Иванова Мария', 'ivanova.mariya.42@klass.local'],
  ['Преображенская Елизавета Андреевна', 'preobrazhenskaya.elizaveta.42@klass.local'],
  ['Фёдоров Никита', 'fedorov.nikita.42@klass.local'],
  ['Щукин Илья', 'schukin.ilya.42@klass.local'],
  ['Объедков Юрий', 'obedkov.yuriy.42@klass.local'],
  ['Римский-Корсаков Николай', 'rimskiykorsakov.nikolay.42@klass.local'],
  ['Müller Zoë', 'muller.zoe.42@klass.local'],
  ['Әбілқасым Ұлан', 'abilkasym.ulan.42@klass.local'],
  ['Мария', 'mariya.42@klass.local'],
  ['李 明', 'uchenik.42@klass.local'],
  ['<b>Аня</b>', 'banyab.42@klass.local'],
  ['🙂 …', 'uchenik.42@klass.local'],
  ['Ъ Ь', 'uchenik.42@klass.local'],
])('%s signs in as %s', (userName, email) => {
  expect(signInName(userName, 42)).toBe(email);
});

test.each([
  'Иванова Мария',
  'а'.repeat(100),
  `${'щ'.repeat(50)} ${'ю'.repeat(49)}`,
  '💥',
  '. .',
  '-- @',
])('the sign-in name of «%s» is valid on the sign-in screen', (userName) => {
  const body = { email: signInName(userName, 123_456), password: 'x' };
  expect(v.safeParse(LoginBody, body).success).toBe(true);
});
