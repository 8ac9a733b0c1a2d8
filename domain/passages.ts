import type { Passage } from '#contract/questions.ts';

/** Whether two copies of a shared text are alike: its words, its transcript, and who may read that. */
export const isSamePassage = (a: Passage, b: Passage): boolean =>
  a.passageId === b.passageId &&
  a.text === b.text &&
  (a.transcript ?? '') === (b.transcript ?? '') &&
  (a.transcriptShown ?? false) === (b.transcriptShown ?? false);
