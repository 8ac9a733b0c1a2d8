import type { StudentEvidence } from '#simulation/evidence.ts';

/** Answers that came in another way than the network. */

/** What a teacher brought in with a receipt is on the server, unless a restore lost it since. */
export function broughtInStays({
  broughtIn,
  journal,
  strays,
  restores,
}: StudentEvidence): string[] {
  const server = new Set([...journal, ...strays].map(({ operationId }) => operationId));
  return broughtIn
    .filter(({ operationId, at }) => !server.has(operationId) && restores.every((one) => one < at))
    .map(({ operationId }) => `${operationId} was brought in and is gone`);
}

/**
 * What left its device may be at the server: no later answer folds it. The server's SEQUENCE_TAKEN proves that it is
 * not: a full device gives an answer in memory and a later stored one the same sequence, and the second is free again.
 */
export const handedOverIsNotFolded = ({
  handedOver,
  journal,
  onDevices,
}: StudentEvidence): string[] =>
  onDevices
    .filter(({ operationId, state }) => state === 'folded' && handedOver.has(operationId))
    .filter(({ operationId, stream, sequence }) =>
      journal.every(
        (row) =>
          row.operationId === operationId || row.stream !== stream || row.sequence !== sequence,
      ),
    )
    .map(({ operationId, device }) => `${operationId} was handed over and is folded on ${device}`);
