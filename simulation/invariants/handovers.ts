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

/** What left its device may be at the server: no later answer folds it. */
export const handedOverIsNotFolded = ({ handedOver, onDevices }: StudentEvidence): string[] =>
  onDevices
    .filter(({ operationId, state }) => state === 'folded' && handedOver.has(operationId))
    .map(({ operationId, device }) => `${operationId} was handed over and is folded on ${device}`);
