import { expect, test } from 'vitest';
import { nameClasses } from './class-names.ts';

const named = (...classes: readonly (readonly [name: string, owner: string])[]) => [
  ...nameClasses(
    classes.map(([name, owner], id) => ({ groupId: String(id), name, owner })),
  ).values(),
];

test('names the teacher of classes that look alike, and of no others', () => {
  expect(named(['9А', 'О. В. Лаптева'], ['9 а', 'Т. А. Белова'], ['8Б', 'Т. А. Белова'])).toEqual([
    '9А · О. В. Лаптева',
    '9 а · Т. А. Белова',
    '8Б',
  ]);
});

test('names no teacher where both classes have the same one', () => {
  expect(named(['9А', 'О. В. Лаптева'], ['9-А', 'О. В. Лаптева'])).toEqual(['9А', '9-А']);
});

test('distinguishes names made of symbols only', () => {
  expect(named(['★', 'О. В. Лаптева'], ['♣', 'Т. А. Белова'])).toEqual(['★', '♣']);
});

test('adds no teacher when an older server sends none', () => {
  expect(named(['9А', ''], ['9А', 'Т. А. Белова'])).toEqual(['9А', '9А · Т. А. Белова']);
});
