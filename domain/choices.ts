import { Difficulty } from '#contract/themes.ts';
import { compareNames } from './alphabet.ts';
import { difficultyLabel, SUBJECT_KEYS, subjectLabel } from './labels.ts';

/** Subjects to choose from, by their Russian names. */
export const SUBJECT_CHOICES = SUBJECT_KEYS.map((value) => ({
  value,
  label: subjectLabel(value),
})).sort((a, b) => compareNames(a.label, b.label));

export const DIFFICULTY_CHOICES = Difficulty.options.map((value) => ({
  value,
  label: difficultyLabel(value),
}));
