import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Id } from '#contract/primitives.ts';
import { demoTests } from './all.ts';
import { physics } from './physics.ts';
import { stableId } from '#server/ids.ts';
import { questionsOf } from './stored.ts';
import { typography } from './typography.ts';

test('the same content gives the same questions every time', () => {
  expect(questionsOf(physics)).toStrictEqual(questionsOf(physics));
});

test('ids are UUIDs, different in every test and in every scope', () => {
  const ids = demoTests.flatMap((one) =>
    [one.key, `${one.key}-again`].flatMap((scope) =>
      questionsOf(one, { scope }).map(({ questionId }) => questionId),
    ),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(v.parse(Id, id)).toBe(id);
  expect(stableId('a')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('another scope changes only the ids of the questions', () => {
  const [one] = questionsOf(physics);
  const [other] = questionsOf(physics, { scope: 'other' });
  expect({ ...other, questionId: one?.questionId }).toStrictEqual(one);
});

test('pictures get their stored keys', () => {
  const texts = questionsOf(physics, { pictureKey: (key) => `stored-${key}` }).map(
    ({ text }) => text,
  );
  expect(texts.some((text) => text.includes('](file:stored-demo-physics-incline)'))).toBe(true);
  expect(texts.some((text) => text.includes('](file:demo-'))).toBe(false);
});

test('units and dashes get no-break spaces', () => {
  expect(typography('масса 2 кг — это 5 % от 40 кг')).toBe(
    'масса 2\u00a0кг\u00a0— это 5\u00a0% от 40\u00a0кг',
  );
  expect(typography('512 000 бит/с')).toBe('512\u00a0000\u00a0бит/с');
  expect(typography('О. В. Лаптева, № 5, XIX века')).toBe(
    'О.\u00a0В.\u00a0Лаптева, №\u00a05, XIX\u00a0века',
  );
  expect(typography('$g = 10$ м/с², а 3 слова и 5 мест')).toBe(
    '$g = 10$\u00a0м/с², а 3 слова и 5 мест',
  );
});

test('code, formulas and picture keys are left as written', () => {
  const unchanged = '`a = 5 % 2 — 1`, $5 м — 2$ ![вид](file:demo-5)';
  expect(typography(unchanged)).toBe(unchanged);
});
