import { ANY_BODY, type Evidence, type HeldOperation, type Write } from '#simulation/evidence.ts';

/** What may never be lost, invented, or done by somebody else. Each gives what is wrong. */

const onServer = (evidence: Evidence): Set<string> =>
  new Set([...evidence.journal, ...evidence.strays].map(({ operationId }) => operationId));

const heldById = (evidence: Evidence): Map<string, HeldOperation> =>
  new Map(evidence.held.map((operation) => [operation.operationId, operation]));

/** Whether an operation is on the server, still waits or lies aside on a device, or a newer one carries it. */
function isKept(
  operationId: string,
  server: ReadonlySet<string>,
  held: ReadonlyMap<string, HeldOperation>,
): boolean {
  if (server.has(operationId)) return true;
  const operation = held.get(operationId);
  if (!operation) return false;
  if (operation.state === 'folded' && operation.foldedInto !== null) {
    return isKept(operation.foldedInto, server, held);
  }
  // A dropped finish was refused by a moved deadline: another one is written later.
  return operation.state !== 'folded' && operation.state !== 'acknowledged';
}

/** The server forgot it by a restore, and no device is left that could send it again. */
function isForgiven(evidence: Evidence, of: { device: string; stream: string }, since: number) {
  const isGone = evidence.lostDevices.has(of.device) || evidence.wipedStreams.has(of.stream);
  return isGone && evidence.restores.some((at) => at >= since);
}

/** Every answer shown as saved on the device is on the server, in the outbox, or set aside. */
export function savedIsKept(evidence: Evidence): string[] {
  const server = onServer(evidence);
  const held = heldById(evidence);
  return evidence.writes
    .filter((write) => write.saved && !evidence.wipedStreams.has(write.stream))
    .filter((write) => !isKept(write.operationId, server, held))
    .filter((write) => !isForgiven(evidence, write, write.at))
    .map((write) => `${write.operationId} #${write.sequence} of ${write.device} is nowhere`);
}

/** Nothing the server gave a receipt for vanishes. */
export function acknowledgedStays(evidence: Evidence): string[] {
  const server = onServer(evidence);
  const held = heldById(evidence);
  const writes = new Map(evidence.writes.map((write) => [write.operationId, write]));
  return evidence.receipts
    .filter(({ operationId }) => !isKept(operationId, server, held))
    .filter(({ operationId, device, stream, at }) => {
      const write = writes.get(operationId);
      // What found no room on the device is forgotten with its page.
      const inMemory = write?.saved === false && evidence.restores.some((one) => one >= at);
      return !inMemory && !isForgiven(evidence, { device, stream }, at);
    })
    .map(({ operationId }) => `${operationId} had a receipt and is gone`);
}

/** After a restore an operation that comes again keeps the verdict of its old receipt. */
export function restoreKeepsVerdicts(evidence: Evidence): string[] {
  const journal = new Map(evidence.journal.map((row) => [row.operationId, row]));
  const counted = new Set(['stored', 'superseded']);
  const wrong: string[] = [];
  for (const [operationId, { outcome, device }] of evidence.verdictsAtRestore) {
    const stream = evidence.held.find((one) => one.operationId === operationId)?.stream;
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

function matches(write: Write, row: Evidence['journal'][number]): boolean {
  const isSameBody = write.body === row.body || write.body === ANY_BODY;
  return write.attemptId === row.attemptId && write.questionId === row.questionId && isSameBody;
}

/** Nothing appears that nobody wrote. */
export function nothingInvented(evidence: Evidence): string[] {
  return evidence.journal
    .filter((row) =>
      row.kind === 'finish'
        ? !evidence.made.has(row.operationId)
        : !evidence.writes.some((one) => one.operationId === row.operationId && matches(one, row)),
    )
    .map((row) => `${row.kind} ${row.operationId} ${row.body} was never written`);
}

/** A file that a screen shows as saved can be sent: its device never gives it up for want of its bytes. */
export function filesHaveBytes(evidence: Evidence): string[] {
  return evidence.held
    .filter(({ refusal }) => refusal === 'FILE_LOST')
    .map(({ operationId, device }) => `${operationId} lies on ${device} without its bytes`);
}

/** One effect per operation: one row, and one place in its stream. */
export function oneEffect(evidence: Evidence): string[] {
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

/** Who wrote an operation sends it, and owns the attempt it lands in. */
export function ownerOnly(evidence: Evidence): string[] {
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

/** Every answer of a run fits its question, so that none may be refused. */
export function nothingRefused(evidence: Evidence): string[] {
  return evidence.journal
    .filter((row) => row.kind === 'answer' && row.outcome === 'refused')
    .map((row) => `${row.operationId} was refused: ${row.refusal}`);
}

/** Once faults heal the outbox drains in bounded time. */
export function drains(evidence: Evidence): string[] {
  return evidence.undrained.map((what) => `${what} still waits`);
}
