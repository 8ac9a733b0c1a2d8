import { lazy } from 'react';
import type { StudentQuestion } from '#contract/questions.ts';

const loadMatching = () => import('#app/ui/MatchingField.tsx');
const loadFile = () => import('./FileAnswer.tsx');

export const MatchingField = lazy(async () => ({ default: (await loadMatching()).MatchingField }));
export const FileAnswer = lazy(async () => ({ default: (await loadFile()).FileAnswer }));

/** Loads what the attempt's questions ask for: when one is reached, the network may be gone. */
export function loadKindsOf(questions: readonly StudentQuestion[]): void {
  const kinds = new Set(questions.map(({ kind }) => kind));
  // A failure shows where the field is needed, and is tried again there.
  if (kinds.has('compliance')) loadMatching().catch(() => undefined);
  if (kinds.has('file')) loadFile().catch(() => undefined);
}
