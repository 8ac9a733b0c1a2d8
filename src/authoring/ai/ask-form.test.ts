import { expect, test } from 'vitest';
import { EMPTY_FORM, prefilled } from './ask-form.ts';

const settings = { theme: 'physics', difficulty: 'easy', topic: 'Динамика' };

test('an untouched form begins with the subject, the difficulty and the topic of the test', () => {
  expect(prefilled(EMPTY_FORM, settings)).toEqual({ ...EMPTY_FORM, ...settings });
});

test('what was chosen before the test’s settings came is not overwritten by them', () => {
  const typed = { ...EMPTY_FORM, theme: 'chemistry', difficulty: 'hard', topic: 'Соли' } as const;
  expect(prefilled(typed, settings)).toEqual(typed);
});

test('a subject that nobody knows is none', () => {
  expect(prefilled(EMPTY_FORM, { ...settings, theme: 'x', difficulty: 'y' })).toMatchObject({
    theme: '',
    difficulty: '',
  });
});
