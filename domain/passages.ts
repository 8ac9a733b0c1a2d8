import type { Passage } from '#contract/questions.ts';

/** Whether two copies of a shared text are equal: its text, its transcript, and who may read the transcript. */
export const isSamePassage = (a: Passage, b: Passage): boolean =>
  a.passageId === b.passageId &&
  a.text === b.text &&
  (a.transcript ?? '') === (b.transcript ?? '') &&
  (a.transcriptShown ?? false) === (b.transcriptShown ?? false);
