import { expect, test } from 'vitest';
import { similarTo } from './similar.ts';

const of = (text: string, questionId = text) => ({ questionId, text });
const FORCE = of('Тело массой 2 кг движется с ускорением 3 м/с². Чему равна равнодействующая сил?');

test.each([
  [
    'the same in other letters',
    'ТЕЛО массой 2 кг  движется с ускорением 3 м/с². Чему равна равнодействующая сил',
  ],
  [
    'other endings',
    'Чему равна равнодействующая сил, если тело массы 2 кг движется с ускорением 3 м/с²?',
  ],
])('%s are alike', (_, text) => {
  expect(similarTo(of(text), [of('Что такое инерция?'), FORCE])).toBe(FORCE);
});

test.each([
  [
    'other numbers',
    'Тело массой 5 кг движется с ускорением 7 м/с². Чему равна равнодействующая сил?',
  ],
  ['another question about the same', 'Какие силы действуют на тело массой 2 кг?'],
  ['no words', '$$'],
])('%s are not alike', (_, text) => {
  expect(similarTo(of(text), [FORCE])).toBeNull();
});

test('a question is not similar to itself', () => {
  expect(similarTo(FORCE, [FORCE])).toBeNull();
});
