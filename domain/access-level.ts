import type { AccessLevel } from '#contract/sharing.ts';

const RANKS: Readonly<Record<AccessLevel, number>> = { results: 1, grade: 2, edit: 3, owner: 4 };

/** Whether a level reaches another one; each includes the ones before it. */
export const reaches = (level: AccessLevel, needed: AccessLevel): boolean =>
  RANKS[level] >= RANKS[needed];
