import {
  ANY_BODY,
  type StudentEvidence,
  type DeviceOperation,
  type Write,
} from '#simulation/evidence.ts';

/** Nothing may be lost, invented, or sent by another user. Each returns its violations. */

const onServer = (evidence: StudentEvidence): Set<string> =>
  new Set([...evidence.journal, ...evidence.strays].map(({ operationId }) => operationId));

const deviceOperationsById = (evidence: StudentEvidence): Map<string, DeviceOperation> =>
  new Map(evidence.onDevices.map((operation) => [operation.operationId, operation]));

/** Whether an operation is on the server, waiting or set aside on a device, or folded into a newer one. */
function isPreserved(
  operationId: string,
  server: ReadonlySet<string>,
  onDevices: ReadonlyMap<string, DeviceOperation>,
): boolean {
  if (server.has(operationId)) return true;
  const operation = onDevices.get(operationId);
  if (!operation) return false;
  if (operation.state === 'folded' && operation.foldedInto !== null) {
    return isPreserved(operation.foldedInto, server, onDevices);
  }
  // A dropped finish was refused by a moved deadline: another one is written later.
  return operation.state !== 'folded' && operation.state !== 'acknowledged';
}

/** Whether a restore lost it and no device is left to resend it. */
function isLostByRestore(
  evidence: StudentEvidence,
  of: { device: string; stream: string },
  since: number,
) {
  const isGone = evidence.lostDevices.has(of.device) || evidence.wipedStreams.has(of.stream);
  return isGone && evidence.restores.some((at) => at >= since);
}

/** Every answer shown as saved on the device is on the server, in the outbox, or set aside. */
export function savedIsStored(evidence: StudentEvidence): string[] {
  const server = onServer(evidence);
  const onDevices = deviceOperationsById(evidence);
  return evidence.writes
    .filter((write) => write.saved && !evidence.wipedStreams.has(write.stream))
    .filter((write) => !isPreserved(write.operationId, server, onDevices))
    .filter((write) => !isLostByRestore(evidence, write, write.at))
    .map((write) => `${write.operationId} #${write.sequence} of ${write.device} is nowhere`);
}

/** Nothing with a receipt from the server is lost. */
export function acknowledgedStays(evidence: StudentEvidence): string[] {
  const server = onServer(evidence);
  const onDevices = deviceOperationsById(evidence);
  const writes = new Map(evidence.writes.map((write) => [write.operationId, write]));
  return evidence.receipts
    .filter(({ operationId }) => !isPreserved(operationId, server, onDevices))
    .filter(({ operationId, device, stream, at }) => {
      const write = writes.get(operationId);
      // Operations that did not fit on the device are lost with their page.
      const inMemory = write ? !write.saved : evidence.madeWhenFull.has(operationId);
      const isForgotten = inMemory && evidence.restores.some((one) => one >= at);
      return !isForgotten && !isLostByRestore(evidence, { device, stream }, at);
    })
    .map(({ operationId }) => `${operationId} had a receipt and is gone`);
}

/** After a restore a resent operation retains the outcome of its old receipt. */
export function restoreKeepsVerdicts(evidence: StudentEvidence): string[] {
  const journal = new Map(evidence.journal.map((row) => [row.operationId, row]));
  const counted = new Set(['stored', 'superseded']);
  const wrong: string[] = [];
  for (const [operationId, { outcome, device }] of evidence.verdictsAtRestore) {
    const stream = evidence.onDevices.find((one) => one.operationId === operationId)?.stream;
    const isGone = evidence.lostDevices.has(device) || stream === undefined;
    if (isGone || !counted.has(outcome) || evidence.undrained.includes(operationId)) continue;
    const row = journal.get(operationId);
    const isSetAside = evidence.everSetAside.has(operationId);
    if (!row && isSetAside) continue;
    if (!row || !counted.has(row.outcome)) {
      wrong.push(`${operationId} was ${outcome} and is ${row?.outcome ?? 'gone'}`);
    }
  }
  return wrong;
}

function matches(write: Write, row: StudentEvidence['journal'][number]): boolean {
  const isSameBody = write.body === row.body || write.body === ANY_BODY;
  return write.attemptId === row.attemptId && write.questionId === row.questionId && isSameBody;
}

/** Nothing appears that was not written. */
export function nothingInvented(evidence: StudentEvidence): string[] {
  return evidence.journal
    .filter((row) =>
      row.kind === 'finish'
        ? !evidence.made.has(row.operationId)
        : !evidence.writes.some((one) => one.operationId === row.operationId && matches(one, row)),
    )
    .map((row) => `${row.kind} ${row.operationId} ${row.body} was never written`);
}

/** A file shown as saved can be sent: its device never sets it aside because its bytes are missing. */
export function filesHaveBytes(evidence: StudentEvidence): string[] {
  return evidence.onDevices
    .filter(({ refusal }) => refusal === 'FILE_LOST')
    .map(({ operationId, device }) => `${operationId} lies on ${device} without its bytes`);
}

/** One effect per operation: one row and one sequence in its stream. */
export function oneEffect(evidence: StudentEvidence): string[] {
  const wrong: string[] = [];
  const ids = new Set<string>();
  const places = new Set<string>();
  for (const { operationId, attemptId, stream, sequence } of evidence.journal) {
    const place = `${attemptId} ${stream} #${sequence}`;
    if (ids.has(operationId)) wrong.push(`${operationId} stands twice`);
    if (sequence !== null && places.has(place)) wrong.push(`${place} is taken twice`);
    ids.add(operationId);
    places.add(place);
  }
  return wrong;
}

/** An operation is sent by its author, who owns its attempt. */
export function ownerOnly(evidence: StudentEvidence): string[] {
  const writers = new Map(evidence.writes.map((write) => [write.operationId, write.user]));
  const sent = evidence.deliveries
    .filter(({ operationId, user }) => {
      const writer = writers.get(operationId);
      return writer !== undefined && user !== writer;
    })
    .map(({ operationId }) => `${operationId} was sent under another sign-in`);
  const landed = evidence.journal
    .filter((row) => (writers.get(row.operationId) ?? row.userId) !== row.userId)
    .map(({ operationId }) => `${operationId} landed in another student’s attempt`);
  return [...sent, ...landed];
}

/** Every answer of a run is valid, so that none may be refused. */
export function nothingRefused(evidence: StudentEvidence): string[] {
  return evidence.journal
    .filter((row) => row.kind === 'answer' && row.outcome === 'refused')
    .map((row) => `${row.operationId} was refused: ${row.refusal}`);
}

/** Once faults end the outbox drains in bounded time. */
export function drains(evidence: StudentEvidence): string[] {
  return evidence.undrained.map((what) => `${what} still waits`);
}
