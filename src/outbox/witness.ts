import type { OperationRow } from '#app/storage/rows.ts';
import type { Core } from './core.ts';
import { exchange, noteFacts } from './exchange.ts';
import { maySend, readWork, type Pass } from './pass.ts';

/** Failures in a row after which an operation that holds others up is checked against another call. */
const WITNESS_AFTER = 2;

function failuresOf(core: Core, one: OperationRow): number {
  const { backoffs } = core.runtime;
  return Math.max(backoffs.failures(one.operationId), backoffs.failures(one.fileId ?? ''));
}

/** Whether something waits only because this answer does: its finish, or a newer answer of its question. */
function holdsUp(suspect: OperationRow, waiting: readonly OperationRow[]): boolean {
  return waiting.some(
    (one) =>
      one.attemptId === suspect.attemptId &&
      one.stream === suspect.stream &&
      one.sequence > suspect.sequence &&
      (one.kind === 'finish' || one.questionId === suspect.questionId),
  );
}

/**
 * When only suspects fail and others wait behind them, nothing shows whether the server works: one
 * reading call does, so that a poisoned answer cannot hold them for ever.
 */
export async function callWitness(pass: Pass): Promise<void> {
  const { core, session, held, tally } = pass;
  const { pause } = core.runtime;
  const tired = tally.suspects.filter(
    (one) => failuresOf(core, one) >= WITNESS_AFTER && !one.poisoned,
  );
  const isUseless = tired.length === 0 || tally.acknowledged > 0 || pause !== null || !held.valid();
  if (isUseless) return;
  const { waiting } = await readWork(core, session.owner);
  const blocking = tired.find((one) => holdsUp(one, waiting));
  const now = blocking && (await core.session());
  if (!now || now.token !== session.token) return;
  await exchange(core, null, () =>
    core.env.transport.savedAnswers(session.token, blocking.attemptId, {}),
  );
}

/**
 * The first reply of a page's life tells whether clock and server epoch are what they were, before an
 * age is told. A failed probe decides nothing.
 */
export async function probeFirst(pass: Pass): Promise<void> {
  const { core, session } = pass;
  if (core.runtime.probed || !(await maySend(pass))) return;
  const { waiting } = await readWork(core, session.owner);
  if (waiting.length === 0) return;
  core.runtime.probed = true;
  const sent = await core.env.transport.probe();
  if (sent.ok) await noteFacts(core, sent.facts, null);
}
