import { expect, test } from 'vitest';
import { EMPTY_FORM, prefilled } from './ask-form.ts';

const settings = { theme: 'physics', difficulty: 'easy', topic: 'Динамика' };

test('an untouched form is prefilled with the test’s subject, difficulty and topic', () => {
  expect(prefilled(EMPTY_FORM, settings)).toEqual({ ...EMPTY_FORM, ...settings });
});

test('values chosen before the test’s settings have loaded are not overwritten', () => {
  const typed = { ...EMPTY_FORM, theme: 'chemistry', difficulty: 'hard', topic: 'Соли' } as const;
  expect(prefilled(typed, settings)).toEqual(typed);
});

test('an unknown subject counts as none', () => {
  expect(prefilled(EMPTY_FORM, { ...settings, theme: 'x', difficulty: 'y' })).toMatchObject({
    theme: '',
    difficulty: '',
  });
});
