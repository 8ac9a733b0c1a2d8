import type { StudentEvidence } from '#simulation/evidence.ts';

/** The fates of picked files while the system delivers them. */

/** The newest pick wins: no older one is stored after a newer one, and none after the finish. */
export function newestPickWins({ picks }: StudentEvidence): string[] {
  return picks.flatMap(({ attemptId, questionId, stored, storedAfterFinish }) => {
    const where = `${attemptId} ${questionId}`;
    const isOrdered = stored.every((pick, index) => index === 0 || pick > (stored[index - 1] ?? 0));
    return [
      ...(isOrdered ? [] : [`${where}: picks were stored in the order ${stored.join(', ')}`]),
      ...(storedAfterFinish > 0 ? [`${where}: a pick was stored after the finish`] : []),
    ];
  });
}

/** A picked file is stored, replaced by a newer one, or reported as failed or missed. */
export function noPickVanishes({ picks }: StudentEvidence): string[] {
  return picks.flatMap(({ attemptId, questionId, fates }) =>
    fates.includes('vanished') ? [`${attemptId} ${questionId}: a picked file vanished`] : [],
  );
}
