import type { AttemptRow } from '#app/storage/rows.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { changeAttempt } from './attempts.ts';
import { provesServer } from './classify.ts';
import type { Core } from './core.ts';
import type { Sent } from './transport.ts';

/** Any definite reply shows that the server and its database work. */
export function noteSuccess(core: Core): void {
  core.runtime.successes += 1;
  core.runtime.backoffs.serverSucceeded();
  setReachability(core, 'reachable');
}

export function setReachability(core: Core, reachability: Core['runtime']['reachability']): void {
  if (core.runtime.reachability === reachability) return;
  core.runtime.reachability = reachability;
  core.emit({ kind: 'changed', attemptId: null });
}

/**
 * The server was restored from a backup: everything acknowledged before goes again with its receipt,
 * file bytes too, whoever owns it (each is sent for its own owner only).
 */
async function noteServerEpoch(core: Core, epoch: number | null): Promise<void> {
  await core.ready();
  const { runtime } = core;
  if (epoch === null || (runtime.serverEpoch !== null && epoch <= runtime.serverEpoch)) return;
  try {
    await core.main.write(['device', 'operations', 'files'], async (tx) => {
      const stored = await tx.get('device', 'server');
      if (stored?.kind === 'server' && stored.epoch >= epoch) return;
      await tx.put('device', { key: 'server', kind: 'server', epoch });
      const attempts = new Set<string>();
      for (const one of await tx.all('operations', 'state', 'acknowledged')) {
        if ((one.serverEpoch ?? 0) >= epoch) continue;
        attempts.add(one.attemptId);
        await tx.put('operations', { ...one, state: 'waiting', sent: true });
      }
      for (const file of await tx.all('files')) {
        const goesAgain = attempts.has(file.attemptId) && file.state === 'complete';
        if (goesAgain) await tx.put('files', { ...file, state: 'unchecked', wanted: true });
      }
    });
  } catch (error) {
    // Not marked, not noted: the next reply tries again.
    if (!(error instanceof StorageFailure)) throw error;
    return;
  }
  const isRise = runtime.serverEpoch !== null;
  runtime.serverEpoch = epoch;
  if (!isRise) return;
  core.emit({ kind: 'changed', attemptId: null });
  core.emit({ kind: 'written', attemptId: null });
}

/** Another device took the attempt over: this one only goes on sending what it holds. */
async function noteActiveStream(
  core: Core,
  sentFor: AttemptRow,
  activeStream: string | null,
): Promise<void> {
  if (activeStream === null || sentFor.takenOver || sentFor.state === 'finished') return;
  const isOwn = sentFor.streams.some((one) => one.stream === activeStream);
  if (isOwn) return;
  // After a restore the server may not know our take-over yet: what goes again tells it.
  const goesAgain = await core.main.read(['operations'], async (tx) => {
    const waiting = await tx.all('operations', 'ownerState', [sentFor.owner, 'waiting']);
    return waiting.some((one) => one.attemptId === sentFor.attemptId && one.receipt !== null);
  });
  if (goesAgain) return;
  let isTaken = false;
  await changeAttempt(core, sentFor.attemptId, (row) => {
    // A reply to an earlier stream's call says nothing about the present one.
    isTaken = row.stream === sentFor.stream && !row.takenOver;
    return isTaken ? { ...row, takenOver: true } : row;
  });
  if (isTaken) core.emit({ kind: 'takenOver', attemptId: sentFor.attemptId });
}

/** Clock, server epoch and, for an attempt's call, its owner, as every reply tells them. */
export async function noteFacts(
  core: Core,
  facts: ReplyFacts,
  sentFor: AttemptRow | null,
): Promise<void> {
  await core.ready();
  core.observeTime(facts);
  await noteServerEpoch(core, facts.serverEpoch);
  if (sentFor) await noteActiveStream(core, sentFor, facts.activeStream).catch(forgive);
  await core.saveClock();
}

function forgive(error: unknown): void {
  if (!(error instanceof StorageFailure)) throw error;
}

/** One call, with everything its reply tells beside the body taken in. */
export async function exchange<T>(
  core: Core,
  sentFor: AttemptRow | null,
  send: () => Promise<Sent<T>>,
): Promise<Sent<T>> {
  const sent = await send();
  const facts = sent.ok ? sent.facts : sent.failure.facts;
  if (facts) await noteFacts(core, facts, sentFor);
  if (sent.ok || provesServer(sent.failure)) noteSuccess(core);
  return sent;
}
