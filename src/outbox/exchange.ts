import * as v from 'valibot';
import type { ReplyFacts } from '#app/api/facts.ts';
import type { ApiFailure } from '#app/api/failure.ts';
import type { AttemptRow, StartRow } from '#app/storage/rows.ts';
import { isBeginWaiting } from '#app/storage/merge.ts';
import { ignoreStorageFailure } from '#app/storage/storage.ts';
import { RunningElsewhereDetails } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import type { Started } from '#contract/passing.ts';
import { adoptDeadline, adoptStarted, attemptsOf, changeAttempt } from './attempts.ts';
import type { Core } from './core.ts';
import { resendOperations } from './resend.ts';
import { isBehind, resendBegin } from './restored.ts';
import { type CallResult, attemptHeaders, provesServer } from './transport.ts';
import type { StartOutcome } from './types.ts';
import { streamKey, streamOf } from './write.ts';

/**
 * Calls with the time, the server epoch and the active stream in their replies; starts and reports use nothing else.
 */

/** Any definite reply shows that the server and its database work. */
export function noteSuccess(core: Core): void {
  core.runtime.successes += 1;
  const hasEndedWait = core.runtime.backoffs.serverSucceeded();
  setReachability(core, 'reachable');
  // The scheduler's timer was set to the end of that wait.
  if (hasEndedWait) core.notify({ kind: 'written', attemptId: null });
}

export function setReachability(core: Core, reachability: Core['runtime']['reachability']): void {
  if (core.runtime.reachability === reachability) return;
  core.runtime.reachability = reachability;
  core.emit({ kind: 'changed', attemptId: null });
}

/**
 * The server was restored from a backup: everything acknowledged before is sent again with its receipt,
 * including file bytes, for every owner (each is sent only while its owner is signed in). The next pass adds what this
 * cannot reach (`resendBehind`).
 */
async function noteServerEpoch(core: Core, epoch: number | null): Promise<void> {
  await core.ready();
  const { runtime } = core;
  if (epoch === null || (runtime.notedEpoch !== null && epoch <= runtime.notedEpoch)) return;
  let isNew = false;
  try {
    isNew = await core.storage.write(['device', 'operations', 'files', 'attempts'], async (tx) => {
      const stored = await tx.get('device', 'server');
      if (stored?.kind === 'server' && stored.epoch >= epoch) return false;
      await tx.put('device', { key: 'server', kind: 'server', epoch });
      const acknowledged = await tx.all('operations', 'state', 'acknowledged');
      await resendOperations(
        core,
        tx,
        acknowledged.filter((one) => isBehind(one, epoch)),
      );
      for (const row of await tx.all('attempts')) {
        const own = await tx.all('operations', 'attempt', row.attemptId);
        const resent = resendBegin(row, own, epoch);
        if (resent !== row) await tx.put('attempts', resent);
      }
      return true;
    });
    runtime.notedEpoch = Math.max(epoch, runtime.notedEpoch ?? 0);
  } catch (error) {
    // The next reply retries. Until then this page sends again what it can (`resendBehind`).
    ignoreStorageFailure(error);
  }
  // Another reply may have noted the same or a later epoch while this one was stored.
  const former = runtime.serverEpoch;
  runtime.serverEpoch = Math.max(epoch, former ?? 0);
  if (former === null || (epoch <= former && !isNew)) return;
  core.emit({ kind: 'changed', attemptId: null });
  core.emit({ kind: 'written', attemptId: null });
}

/** Another device took the attempt over: this one only sends its remaining operations. */
async function noteActiveStream(
  core: Core,
  sentFor: AttemptRow,
  activeStream: string | null,
): Promise<void> {
  if (activeStream === null || sentFor.takenOver || sentFor.state === 'finished') return;
  const isOwn = sentFor.streams.some((one) => one.stream === activeStream);
  // While the teacher decides on this device's begin, its answers are kept beside those of the other one.
  if (isOwn || sentFor.begin?.state === 'held') return;
  // After a restore the server may not know our take-over yet: a resent operation informs it.
  const isResending = await core.storage.read(['operations'], async (tx) => {
    const waiting = await tx.all('operations', 'ownerState', [sentFor.owner, 'waiting']);
    return waiting.some((one) => one.attemptId === sentFor.attemptId && one.receipt !== null);
  });
  if (isResending) return;
  let isSuperseded = false;
  await changeAttempt(core, sentFor.attemptId, (row) => {
    // A reply to an earlier stream's call says nothing about the present one.
    isSuperseded = row.stream === sentFor.stream && !row.takenOver;
    return isSuperseded ? { ...row, takenOver: true } : row;
  });
  if (isSuperseded) core.emit({ kind: 'takenOver', attemptId: sentFor.attemptId });
}

/** Applies the metadata of every reply: clock, server epoch and, for an attempt's call, its active stream. */
export async function noteFacts(
  core: Core,
  facts: ReplyFacts,
  sentFor: AttemptRow | null,
): Promise<void> {
  await core.ready();
  core.observeTime(facts);
  await noteServerEpoch(core, facts.serverEpoch);
  if (sentFor)
    await noteActiveStream(core, sentFor, facts.activeStream).catch(ignoreStorageFailure);
  await core.saveClock();
}

/** Makes one call and applies the metadata of its reply. */
export async function exchange<T>(
  core: Core,
  sentFor: AttemptRow | null,
  send: () => Promise<CallResult<T>>,
): Promise<CallResult<T>> {
  const sent = await send();
  const facts = sent.ok ? sent.facts : sent.failure.facts;
  if (facts) await noteFacts(core, facts, sentFor);
  if (sent.ok || provesServer(sent.failure)) noteSuccess(core);
  return sent;
}

const startKey = (owner: string, testId: string): string => `start:${owner}:${testId}`;

/** This device's stream of a running attempt of the test, to continue with. */
function ownStream(
  attempts: readonly AttemptRow[],
  testId: string,
  now: number | null,
): string | null {
  const running = attempts.filter(
    (row) =>
      row.testId === testId &&
      row.state !== 'finished' &&
      !row.takenOver &&
      !row.gone &&
      (now === null || now < row.deadline),
  );
  return running.at(-1)?.stream ?? null;
}

/** The pending start of this test, or a new one; stored before the first request. */
async function pendingStart(
  core: Core,
  owner: string,
  testId: string,
  takeOver: string | null,
): Promise<StartRow> {
  const attempts = await attemptsOf(core, owner);
  const own = takeOver === null ? ownStream(attempts, testId, core.clock.serverNow()) : null;
  const key = startKey(owner, testId);
  const fresh: StartRow = {
    key,
    kind: 'start',
    owner,
    testId,
    idempotencyKey: core.env.newId(),
    stream: own ?? core.env.newId(),
    takeOver,
  };
  const { value } = await core.storage.writeEither(['device'], async (tx) => {
    const known = await tx.get('device', key);
    // A plain start continues a pending one; a take-over replaces a plain one.
    const isSame = known?.kind === 'start' && (takeOver === null || known.takeOver === takeOver);
    if (isSame) return known;
    await tx.put('device', fresh);
    return fresh;
  });
  return value;
}

export function isDefinite(failure: ApiFailure): boolean {
  const status = failure.status ?? 0;
  const isVerdict = failure.kind === 'refused' && status >= 400 && status < 500;
  return isVerdict && ![401, 408, 426, 429].includes(status);
}

function refusedBy(failure: ApiFailure): StartOutcome {
  const { status = 0, code = '', message } = failure;
  if (code === 'RUNNING_ELSEWHERE') {
    const details = v.safeParse(RunningElsewhereDetails, failure.details);
    if (details.success) {
      const { userTestId, lastHeardAt } = details.output;
      return { kind: 'runningElsewhere', attemptId: userTestId, lastHeardAt };
    }
  }
  return { kind: 'refused', status, code, message };
}

/**
 * Starts a test, continues its running attempt, or takes it over. The same key and stream are sent
 * until a reply is definite: a lost reply never costs an attempt.
 */
export async function startAttempt(
  core: Core,
  testId: string,
  options: { takeOver?: string } = {},
): Promise<StartOutcome> {
  await core.ready();
  const session = await core.session();
  if (!session)
    return {
      kind: 'refused',
      status: 401,
      code: 'UNAUTHORIZED',
      message: 'Войдите, чтобы продолжить',
    };
  const { owner, token } = session;
  const start = await pendingStart(core, owner, testId, options.takeOver ?? null);
  const headers = {
    [HEADER.idempotencyKey]: start.idempotencyKey,
    [HEADER.stream]: start.stream,
    ...(start.takeOver === null ? {} : { [HEADER.takeOver]: start.takeOver }),
  };
  const sent = await exchange<Started>(core, null, () =>
    core.env.transport.start(token, testId, headers),
  );
  if (sent.ok) {
    const attempt = await adoptStarted(core, owner, sent.value);
    await core.storage.remove('device', start.key);
    return { kind: 'started', attempt, started: sent.value };
  }
  const { failure } = sent;
  if (isDefinite(failure)) {
    await core.storage.remove('device', start.key);
    return refusedBy(failure);
  }
  if (failure.kind === 'refused' && (failure.status === 401 || failure.status === 426)) {
    return refusedBy(failure);
  }
  const isReachable = failure.kind === 'refused';
  if (!isReachable) setReachability(core, core.env.online?.() === false ? 'offline' : 'silent');
  return { kind: 'unknown', reachable: isReachable };
}

/**
 * Reports to the server, for each running attempt, that this device is online, and its highest written sequence: the
 * teacher sees it as «на связи» and «на устройстве». The reply contains the deadline. A failure is ignored: the next
 * report repeats everything.
 */
export async function reportHeads(core: Core): Promise<void> {
  await core.ready();
  const session = await core.session();
  if (!session || core.runtime.pause) return;
  const now = core.clock.serverNow() ?? core.clock.wall();
  const rows = (await attemptsOf(core, session.owner)).filter(
    (row) =>
      row.state !== 'finished' &&
      !row.takenOver &&
      !row.gone &&
      !isBeginWaiting(row) &&
      now < row.countsUntil,
  );
  for (const row of rows) {
    const { attemptId, stream } = row;
    const written = (streamOf(row, stream)?.nextSequence ?? 1) - 1;
    const head = Math.max(written, core.runtime.highest.get(streamKey(attemptId, stream)) ?? 0);
    const sent = await exchange(core, row, () =>
      core.env.transport.passing(session.token, attemptId, attemptHeaders(stream, head)),
    );
    if (sent.ok) await adoptDeadline(core, attemptId, sent.value);
  }
}
