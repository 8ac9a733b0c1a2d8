import { createHmac, hkdfSync } from 'node:crypto';
import type { PartRank } from '#domain/student-question.ts';
import type { ServerState } from '#server/deps.ts';

const KEY_BYTES = 32;

/**
 * The order of shuffled parts in one attempt. Derived from the seal key, which is stored in the database and its
 * backups: the same at every reading, and unpredictable without the key.
 */
export function attemptRank(
  { sealKey }: Pick<ServerState, 'sealKey'>,
  attemptId: string,
): PartRank {
  const key = Buffer.from(hkdfSync('sha256', sealKey, '', 'order of parts', KEY_BYTES));
  return (questionId, partId) =>
    createHmac('sha256', key)
      .update(JSON.stringify([attemptId, questionId, partId]))
      .digest('base64');
}
