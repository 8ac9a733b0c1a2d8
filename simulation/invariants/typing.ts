import type { StudentEvidence } from '#simulation/evidence.ts';

/** Invariants of text while it is typed, and when its page ends. */

const MAX_WAIT_MS = 1_000;

/** Each key is on the device at most a second later, and the whole text half a second after the last one. */
export function typedIsStored({ typings }: StudentEvidence): string[] {
  return typings.flatMap(({ attemptId, questionId, longestWaitMs, isLateAtPause }) => {
    const where = `${attemptId} ${questionId}`;
    return [
      ...(longestWaitMs > MAX_WAIT_MS ? [`${where}: a key waited ${longestWaitMs} ms`] : []),
      ...(isLateAtPause ? [`${where}: not stored at the pause`] : []),
    ];
  });
}

/** The next page stores the text up to the last key, and never instead of a newer answer. */
export function typedOutlivesPage({ typings }: StudentEvidence): string[] {
  return typings.flatMap(({ attemptId, questionId, next }) =>
    next === null || next.stored === next.expected
      ? []
      : [`${attemptId} ${questionId}: ${next.stored} instead of ${next.expected}`],
  );
}

/** A sign-out leaves no typed text that the next person could read. */
export function typedIsErased({ typings }: StudentEvidence): string[] {
  return typings.flatMap(({ attemptId, questionId, next }) =>
    next === null || next.foreign === 0
      ? []
      : [`${attemptId} ${questionId}: ${next.foreign} texts are left to others`],
  );
}
