import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { isBeginWaiting } from '#app/storage/merge.ts';
import type { AttemptRow, FileRow, OperationRow, SessionRow } from '#app/storage/rows.ts';
import { ignoreStorageFailure } from '#app/storage/storage.ts';
import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import { attemptsOf } from './attempts.ts';
import type { Core } from './core.ts';
import { retryDeviceKey } from './decrypt.ts';
import type { LockHandle } from './environment.ts';
import { exchange, noteFacts } from './exchange.ts';
import { FILE_LOST, FILE_STUCK, setFileAside, uploadStep } from './files.ts';
import {
  attemptOf,
  fileIdsOf,
  isFollowing,
  POISONED_AFTER,
  type SendTask,
  planTasks,
  taskKey,
  waitKey,
  waitingKeys,
} from './plan.ts';
import { type FlushSummary, applyReply, pauseAll, refuse, scheduleRetry } from './replies.ts';
import { resendBehind } from './resend.ts';
import {
  claimForSending,
  clearFailures,
  readAttemptRecords,
  reopenEarlyFinishes,
} from './settle.ts';
import { finishHeaders, operationHeaders } from './transport.ts';
import type { FlushReport } from './types.ts';
import { queueMissedFinishes } from './write.ts';
import type { OperationRefusal } from './transition.ts';

/**
 * Sends what is due: one pass at a time, by one page or the worker.
 *
 *   idle ── flush ──▶ locked ──▶ planning ◀──────────────┐
 *    ▲                             │ due tasks           │ a task ended, or something was written
 *    │                             ▼                     │
 *    │                          sending (lanes) ─────────┘
 *    │                             │ nothing is due, or nothing may be sent
 *    ├── only suspects failed ── probing (does the server work at all?)
 *    │
 *    └─ paused: 401, a block, 426; until another sign-in, two minutes, or the user (`endPause`)
 *
 * No transaction is open during a call. A lost lock or session ends the pass (`maySend`).
 */

/** Set when something was written or requested meanwhile: the pass replans, at once if a lane is free. */
export interface RerunSignal {
  wanted: boolean;
  nudge: () => void;
}

/** One pass over what is due, for one session, under the sender's lock. */
export interface FlushContext {
  readonly core: Core;
  readonly session: SessionRow;
  readonly lock: LockHandle;
  readonly tally: FlushSummary;
  readonly rerun: RerunSignal;
}

interface PendingWork {
  readonly begins: AttemptRow[];
  readonly waiting: OperationRow[];
  readonly files: FileRow[];
  /** All waiting operations and begins, and files that follow their answers. */
  readonly total: number;
}

/** What waits of an owner; of an attempt whose begin waits nothing else. */
async function readWork(core: Core, owner: string): Promise<PendingWork> {
  const waiting = await core.storage.readAll(['operations'], (tx) =>
    tx.all('operations', 'ownerState', [owner, 'waiting']),
  );
  const files = await core.storage.readAll(['files'], (tx) => tx.all('files', 'owner', owner));
  // After the operations: the begin of an attempt is stored before its first one.
  const begins = (await attemptsOf(core, owner)).filter(isBeginWaiting);
  const isKnown = ({ attemptId }: OperationRow | FileRow): boolean =>
    begins.every((one) => one.attemptId !== attemptId);
  return {
    begins,
    waiting: waiting.filter(isKnown),
    files: files.filter(isKnown),
    total: begins.length + waiting.length + files.filter(isFollowing).length,
  };
}

/** Whether anything may be sent now: lock held, no pause, no global back-off. Any of them may change during a read. */
const isOpen = ({ core: { runtime }, lock }: FlushContext): boolean =>
  lock.valid() && !runtime.pause && runtime.backoffs.allDue();

/** The same, for the session of the pass. */
async function maySend(pass: FlushContext): Promise<boolean> {
  const { core, session } = pass;
  const now = await core.session();
  return isOpen(pass) && now !== null && now.owner === session.owner && now.token === session.token;
}

/** Failures in a row after which an operation that blocks others is checked against another call. */
const PROBE_AFTER = 2;

function failuresOf(core: Core, one: OperationRow): number {
  const { backoffs } = core.runtime;
  const files = fileIdsOf(one).map((fileId) => backoffs.failures(fileId));
  return Math.max(backoffs.failures(one.operationId), ...files);
}

/** Whether this answer alone blocks something: its finish, or a newer answer to its question. */
function blocksOthers(suspect: OperationRow, waiting: readonly OperationRow[]): boolean {
  return waiting.some(
    (one) =>
      one.attemptId === suspect.attemptId &&
      one.stream === suspect.stream &&
      one.sequence > suspect.sequence &&
      (one.kind === 'finish' || one.questionId === suspect.questionId),
  );
}

/**
 * If only suspects fail and they block others, nothing shows whether the server works. One read-only call does, so that
 * a poisoned answer cannot block them for ever.
 */
async function probeServerHealth(pass: FlushContext): Promise<void> {
  const { core, session, lock, tally } = pass;
  const { pause } = core.runtime;
  const exhausted = tally.suspects.filter(
    (one) => failuresOf(core, one) >= PROBE_AFTER && !one.poisoned,
  );
  const isUseless =
    exhausted.length === 0 || tally.acknowledged > 0 || pause !== null || !lock.valid();
  if (isUseless) return;
  const { waiting } = await readWork(core, session.owner);
  const blocking = exhausted.find((one) => blocksOthers(one, waiting));
  const now = blocking && (await core.session());
  if (!now || now.token !== session.token) return;
  await exchange(core, null, () =>
    core.env.transport.savedAnswers(session.token, blocking.attemptId, {}),
  );
}

/**
 * The first reply to a page confirms clock and server epoch before any age is sent. A failed probe
 * decides nothing.
 */
async function probeFirst(pass: FlushContext): Promise<void> {
  const { core, session } = pass;
  if (core.runtime.probed || !(await maySend(pass))) return;
  const { total } = await readWork(core, session.owner);
  if (total === 0) return;
  core.runtime.probed = true;
  const sent = await core.env.transport.probe();
  if (sent.ok) await noteFacts(core, sent.facts, null);
}

const CONCURRENCY = 4;
/** Interval at which a blocked account is checked again. */
const BLOCKED_EVERY_MS = 120_000;

const NOT_RUN: FlushReport = {
  ran: false,
  acknowledged: 0,
  failed: 0,
  setAside: 0,
  waiting: 0,
  pause: null,
  nextInMs: null,
};

/** A long text on a slow line needs more than the usual limit: after time-outs twice, then four times as much. */
function timeLimitOf(core: Core, { operationId }: OperationRow): number {
  return HTTP_TIMEOUT_MS * 2 ** Math.min(2, core.runtime.timeOuts.get(operationId) ?? 0);
}

async function sendOperation(pass: FlushContext, operation: OperationRow): Promise<void> {
  const { core, session, tally } = pass;
  const claimed = await claimForSending(core, session.owner, operation.operationId);
  if (!claimed) return;
  const { transport } = core.env;
  const { attemptId, answer } = claimed.operation;
  const { manifest, head } = claimed;
  const age = core.clock.age({
    era: claimed.operation.writtenEra,
    wall: claimed.operation.writtenWall,
  });
  const metadata = { head, age, folded: manifest.folded };
  const timeoutMs = timeLimitOf(core, claimed.operation);
  const sent = await exchange(core, claimed.attempt, () =>
    answer
      ? transport.answer(
          session.token,
          attemptId,
          answer,
          operationHeaders(claimed.operation, metadata),
          timeoutMs,
        )
      : transport.finish(
          session.token,
          attemptId,
          finishHeaders(claimed.operation, metadata, manifest),
          timeoutMs,
        ),
  );
  await applyReply(core, claimed, sent, session.token, tally);
}

async function sendFile(pass: FlushContext, task: SendTask & { kind: 'upload' }): Promise<void> {
  const { core, session, tally } = pass;
  const { file, operation } = task;
  const step = await uploadStep(core, session.token, file, operation);
  if (step.kind === 'progress') {
    core.runtime.backoffs.succeeded(file.fileId);
    core.runtime.fileFailures.delete(file.fileId);
    // Chunks of the same file do not count as other successful calls.
    core.runtime.seenSuccesses.set(file.fileId, core.runtime.successes);
    if (operation) await clearFailures(core, operation.operationId);
    return;
  }
  if (step.kind === 'refused') return abandonFile(pass, file, operation, step.refusal);
  const { verdict } = step;
  if (verdict.kind === 'pause') return pauseAll(core, verdict, session.token);
  if (verdict.kind !== 'retry') return undefined;
  await scheduleRetry(core, file.fileId, operation, verdict, tally);
  const isCounted = operation === null && !verdict.timedOut;
  const isHopeless =
    isCounted && countFileFailure(core, file.fileId) && (await holdsUpFinish(core, file));
  return isHopeless ? abandonFile(pass, file, null, FILE_STUCK) : undefined;
}

/** Without a finish that waits for it, a file is tried as long as its server takes no bytes. */
async function holdsUpFinish(core: Core, { attemptId, stream }: FileRow): Promise<boolean> {
  const { operations } = await readAttemptRecords(core, attemptId);
  return operations.some(
    (one) => one.kind === 'finish' && one.state === 'waiting' && one.stream === stream,
  );
}

/** Counts failures of a file that no waiting answer names, like those of operations. True: too many. */
function countFileFailure(core: Core, fileId: string): boolean {
  const { runtime } = core;
  const isCounted = runtime.successes > (runtime.seenSuccesses.get(fileId) ?? 0);
  runtime.seenSuccesses.set(fileId, runtime.successes);
  const failures = (runtime.fileFailures.get(fileId) ?? 0) + (isCounted ? 1 : 0);
  runtime.fileFailures.set(fileId, failures);
  return failures >= POISONED_AFTER;
}

async function abandonFile(
  pass: FlushContext,
  file: FileRow,
  operation: OperationRow | null,
  refusal: OperationRefusal,
): Promise<void> {
  await setFileAside(pass.core, file, refusal);
  if (operation) return refuse(pass.core, operation, refusal, pass.tally);
  const { attemptId, operationId } = file;
  pass.core.emit({ kind: 'setAside', attemptId, operationId });
}

// Lazy: most attempts begin on the server.
export const loadBegin = createModuleLoader(() => import('./begin.ts'));

async function runTask(pass: FlushContext, task: SendTask): Promise<void> {
  const { core, session, tally } = pass;
  const { operation } = task;
  const attemptId = attemptOf(task);
  if (operation) core.runtime.sending.add(operation.operationId);
  if (operation?.poisoned) core.runtime.triedBeforeFinish.add(operation.operationId);
  if (task.kind === 'finish') core.runtime.triedBeforeFinish.clear();
  core.emit({ kind: 'changed', attemptId });
  try {
    if (task.kind === 'begin') {
      const { sendBegin } = await loadBegin();
      await sendBegin(core, task.attempt, session.token, tally);
    } else if (task.kind === 'upload') await sendFile(pass, task);
    else if (task.kind === 'fileLost') {
      await refuse(core, task.operation, task.file?.refusal ?? FILE_LOST, tally);
    } else await sendOperation(pass, task.operation);
  } catch (error) {
    // On any error the operation stays waiting and the others continue.
    core.log({ event: 'taskFailed', attemptId, detail: String(error) });
    tally.failed += 1;
    core.runtime.backoffs.failed(waitKey(task));
  } finally {
    if (operation) core.runtime.sending.delete(operation.operationId);
    core.emit({ kind: 'changed', attemptId });
  }
}

/** Sends until nothing is sendable. Lanes: several questions, one file, the finish last. */
async function sendAll(pass: FlushContext): Promise<void> {
  const { core, session, rerun } = pass;
  const lanes = core.env.concurrency ?? CONCURRENCY;
  // With one lane everything is sequential, files included: the order is deterministic.
  const total = lanes === 1 ? 1 : lanes + 1;
  const running = new Map<string, Promise<void>>();
  let uploads = 0;
  let queue: SendTask[] = [];
  let isStale = true;
  let plannedEpoch: number | null | undefined;

  const launch = (task: SendTask): void => {
    const key = taskKey(task);
    if (task.kind === 'upload') uploads += 1;
    const done = runTask(pass, task).finally(() => {
      running.delete(key);
      if (task.kind === 'upload') uploads -= 1;
      isStale = true;
    });
    running.set(key, done);
  };
  const fits = (task: SendTask): boolean => {
    if (running.size >= total || running.has(taskKey(task))) return false;
    return task.kind === 'upload' ? uploads === 0 : running.size - uploads < lanes;
  };

  // After a restore a begin may have to go before what is in the queue.
  const mustReplan = (): boolean =>
    rerun.wanted || (isStale && queue.length === 0) || core.runtime.serverEpoch !== plannedEpoch;

  for (;;) {
    const mayGoOn = await maySend(pass);
    if (!mayGoOn) queue = [];
    if (mayGoOn && mustReplan()) {
      isStale = false;
      rerun.wanted = false;
      const isOtherEpoch = core.runtime.serverEpoch !== plannedEpoch;
      plannedEpoch = core.runtime.serverEpoch;
      if (isOtherEpoch) await resendBehind(core, session.owner).catch(ignoreStorageFailure);
      const { backoffs } = core.runtime;
      // A task that ends meanwhile was read as waiting.
      const busy = new Set(running.keys());
      queue = planTasks({
        ...(await readWork(core, session.owner)),
        busy,
        isDue: (key) => backoffs.isDue(key),
        failures: (key) => backoffs.failures(key),
        tried: core.runtime.triedBeforeFinish,
      });
    }
    const next = isOpen(pass) ? queue.find(fits) : undefined;
    if (next) {
      queue = queue.filter((task) => task !== next);
      launch(next);
      continue;
    }
    if (running.size === 0) {
      queue = [];
      if (!mayGoOn || !mustReplan()) return;
      continue;
    }
    // Something ended or was written during this read: it may be sent beside the running tasks.
    if (mayGoOn && mustReplan()) continue;
    const nudged = new Promise<void>((resolve) => {
      rerun.nudge = resolve;
    });
    await Promise.race([...running.values(), nudged]);
  }
}

async function runPass(pass: FlushContext): Promise<FlushReport> {
  const { core, session, tally } = pass;
  await core.storage.store();
  await reopenEarlyFinishes(core, session.owner).catch(ignoreStorageFailure);
  await queueMissedFinishes(core, session.owner);
  await probeFirst(pass);
  await sendAll(pass);
  await probeServerHealth(pass);
  const left = await readWork(core, session.owner);
  return {
    ran: true,
    acknowledged: tally.acknowledged,
    failed: tally.failed,
    setAside: tally.setAside,
    waiting: left.total,
    pause: core.runtime.pause?.why ?? null,
    nextInMs: core.runtime.pause ? null : core.runtime.backoffs.nextIn(waitingKeys(left)),
  };
}

/** A pause ends with another sign-in; a block is checked again periodically; an update needs a reload or the user. */
function endPause(core: Core, session: SessionRow, force: boolean): void {
  const { pause } = core.runtime;
  if (!pause) return;
  const isRequested = force && pause.why !== 'signIn';
  const isOld = pause.why === 'blocked' && core.env.clock.monotone() - pause.at >= BLOCKED_EVERY_MS;
  const isOther = pause.why !== 'update' && pause.token !== session.token;
  if (isRequested || isOld || isOther) core.runtime.pause = null;
}

/** One pass for the signed-in owner, exclusive over all pages and the worker. */
export async function flushOnce(
  core: Core,
  force: boolean,
  rerun: RerunSignal,
): Promise<FlushReport> {
  await core.ready();
  await core.saveClock();
  const session = await core.session();
  if (!session) return { ...NOT_RUN, pause: core.runtime.pause?.why ?? null };
  await retryDeviceKey(core, session.owner);
  endPause(core, session, force);
  if (force) core.runtime.backoffs.forget();
  if (core.runtime.pause) return { ...NOT_RUN, pause: core.runtime.pause.why };
  const tally: FlushSummary = { acknowledged: 0, failed: 0, setAside: 0, suspects: [] };
  const ran = await core.env.locks.run(`outbox:${session.owner}`, (lock) =>
    runPass({ core, session, lock, tally, rerun }),
  );
  return ran.ran ? ran.value : NOT_RUN;
}
