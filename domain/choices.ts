import { Difficulty } from '#contract/themes.ts';
import { difficultyLabel, SUBJECT_KEYS, subjectLabel } from './labels.ts';

const byLabel = new Intl.Collator('ru');

/** Subjects to choose from, by their Russian names. */
export const SUBJECT_CHOICES = SUBJECT_KEYS.map((value) => ({
  value,
  label: subjectLabel(value),
})).sort((a, b) => byLabel.compare(a.label, b.label));

export const DIFFICULTY_CHOICES = Difficulty.options.map((value) => ({
  value,
  label: difficultyLabel(value),
}));
