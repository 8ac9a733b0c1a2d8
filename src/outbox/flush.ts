import type { FileRow, OperationRow, SessionRow } from '#app/storage/rows.ts';
import { POISONED_AFTER } from './backoff.ts';
import { applyReply, holdBack, pauseAll, refuse, type Tally } from './apply.ts';
import type { Core } from './core.ts';
import { queueMissedFinishes } from './deadlines.ts';
import { exchange } from './exchange.ts';
import { finishHeaders, operationHeaders } from './headers.ts';
import { maySend, readWork, type Again, type Pass } from './pass.ts';
import { planTasks, taskKey, waitingKeys, waitKey, type Task } from './plan.ts';
import { rescueUnsaved } from './rescue.ts';
import { forgiveOperation, takeForSending } from './settle.ts';
import type { FlushReport } from './types.ts';
import { FILE_LOST, FILE_STUCK, giveUpFile, uploadStep } from './upload.ts';
import { callWitness, probeFirst } from './witness.ts';

const CONCURRENCY = 4;
/** A blocked account is asked about again this often. */
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

async function sendOperation(pass: Pass, operation: OperationRow): Promise<void> {
  const { core, session, tally } = pass;
  const taken = await takeForSending(core, session.owner, operation.operationId);
  if (!taken) return;
  const { transport } = core.env;
  const { attemptId, answer } = taken.operation;
  const { word, head } = taken;
  const age = core.keeper.age({
    era: taken.operation.writtenEra,
    wall: taken.operation.writtenWall,
  });
  const travel = { head, age, folded: word.folded };
  const sent = await exchange(core, taken.attempt, () =>
    answer
      ? transport.answer(
          session.token,
          attemptId,
          answer,
          operationHeaders(taken.operation, travel),
        )
      : transport.finish(session.token, attemptId, finishHeaders(taken.operation, travel, word)),
  );
  await applyReply(core, taken, sent, session.token, tally);
}

async function sendFile(pass: Pass, task: Task & { kind: 'upload' }): Promise<void> {
  const { core, session, tally } = pass;
  const { file, operation } = task;
  const step = await uploadStep(core, session.token, file);
  if (step.kind === 'progress') {
    core.runtime.backoffs.succeeded(file.fileId);
    core.runtime.fileFailures.delete(file.fileId);
    if (operation?.poisoned) await forgiveOperation(core, operation.operationId);
    return;
  }
  if (step.kind === 'refused') return giveUp(pass, file, operation, step.refusal);
  const { verdict } = step;
  if (verdict.kind === 'pause') return pauseAll(core, verdict, session.token);
  if (verdict.kind !== 'retry') return undefined;
  await holdBack(core, file.fileId, operation, verdict, tally);
  const isHopeless = operation === null && fileFailedAgain(core, file.fileId);
  return isHopeless ? giveUp(pass, file, null, FILE_STUCK) : undefined;
}

/** Counts failures of a file no answer waits for, as operations are counted. True: too many. */
function fileFailedAgain(core: Core, fileId: string): boolean {
  const { runtime } = core;
  const isCounted = runtime.successes > (runtime.seenSuccesses.get(fileId) ?? 0);
  runtime.seenSuccesses.set(fileId, runtime.successes);
  const failures = (runtime.fileFailures.get(fileId) ?? 0) + (isCounted ? 1 : 0);
  runtime.fileFailures.set(fileId, failures);
  return failures >= POISONED_AFTER;
}

async function giveUp(
  pass: Pass,
  file: FileRow,
  operation: OperationRow | null,
  refusal: { status: number; code: string; message: string },
): Promise<void> {
  await giveUpFile(pass.core, file, refusal);
  if (operation) await refuse(pass.core, operation, refusal, pass.tally);
}

async function runTask(pass: Pass, task: Task): Promise<void> {
  const { core, tally } = pass;
  const { operation } = task;
  const attemptId = task.kind === 'upload' ? task.file.attemptId : task.operation.attemptId;
  if (operation) core.runtime.sending.add(operation.operationId);
  if (operation?.poisoned) core.runtime.triedBeforeFinish.add(operation.operationId);
  if (task.kind === 'finish') core.runtime.triedBeforeFinish.clear();
  core.emit({ kind: 'changed', attemptId });
  try {
    if (task.kind === 'upload') await sendFile(pass, task);
    else if (task.kind === 'fileLost') {
      await refuse(core, task.operation, task.file?.refusal ?? FILE_LOST, tally);
    } else await sendOperation(pass, task.operation);
  } catch (error) {
    // Whatever broke, the operation stays waiting and the others go on.
    core.log({ event: 'taskFailed', attemptId, detail: String(error) });
    tally.failed += 1;
    core.runtime.backoffs.failed(waitKey(task));
  } finally {
    if (operation) core.runtime.sending.delete(operation.operationId);
    core.emit({ kind: 'changed', attemptId });
  }
}

/** Sends until nothing may go now. Lanes: several questions, one file, the finish last. */
async function sendAll(pass: Pass): Promise<void> {
  const { core, session, again } = pass;
  const lanes = core.env.concurrency ?? CONCURRENCY;
  // With one lane everything goes one after another, files too: the same input gives the same order.
  const total = lanes === 1 ? 1 : lanes + 1;
  const running = new Map<string, Promise<void>>();
  let uploads = 0;
  let queue: Task[] = [];
  let isStale = true;

  const launch = (task: Task): void => {
    const key = taskKey(task);
    if (task.kind === 'upload') uploads += 1;
    const done = runTask(pass, task).finally(() => {
      running.delete(key);
      if (task.kind === 'upload') uploads -= 1;
      isStale = true;
    });
    running.set(key, done);
  };
  const fits = (task: Task): boolean => {
    if (running.size >= total || running.has(taskKey(task))) return false;
    return task.kind === 'upload' ? uploads === 0 : running.size - uploads < lanes;
  };

  const mustLook = (): boolean => again.wanted || (isStale && queue.length === 0);

  for (;;) {
    const isOpen = await maySend(pass);
    if (!isOpen) queue = [];
    if (isOpen && mustLook()) {
      isStale = false;
      again.wanted = false;
      const { backoffs } = core.runtime;
      queue = planTasks({
        ...(await readWork(core, session.owner)),
        busy: new Set(running.keys()),
        isDue: (key) => backoffs.isDue(key),
        failures: (key) => backoffs.failures(key),
        tried: core.runtime.triedBeforeFinish,
      });
    }
    const next = queue.find(fits);
    if (next) {
      queue = queue.filter((task) => task !== next);
      launch(next);
      continue;
    }
    if (running.size === 0) {
      queue = [];
      if (!isOpen || !mustLook()) return;
      continue;
    }
    // Something ended or was written while this look was reading: it may go beside what runs.
    if (isOpen && mustLook()) continue;
    const nudged = new Promise<void>((resolve) => {
      again.nudge = resolve;
    });
    await Promise.race([...running.values(), nudged]);
  }
}

async function runPass(pass: Pass): Promise<FlushReport> {
  const { core, session, tally } = pass;
  await rescueUnsaved(core);
  await queueMissedFinishes(core, session.owner);
  await probeFirst(pass);
  await sendAll(pass);
  await callWitness(pass);
  const left = await readWork(core, session.owner);
  return {
    ran: true,
    acknowledged: tally.acknowledged,
    failed: tally.failed,
    setAside: tally.setAside,
    waiting: left.waiting.length,
    pause: core.runtime.pause?.why ?? null,
    nextInMs: core.runtime.pause ? null : core.runtime.backoffs.nextIn(waitingKeys(left)),
  };
}

/** A pause ends with another sign-in; a block is looked at again; an update needs a new page or a person. */
function endPause(core: Core, session: SessionRow, force: boolean): void {
  const { pause } = core.runtime;
  if (!pause) return;
  const isAsked = force && pause.why !== 'signIn';
  const isOld = pause.why === 'blocked' && core.env.clock.monotone() - pause.at >= BLOCKED_EVERY_MS;
  const isOther = pause.why !== 'update' && pause.token !== session.token;
  if (isAsked || isOld || isOther) core.runtime.pause = null;
}

/** One pass for the signed-in owner; only one page or worker runs it at a time. */
export async function flushOnce(core: Core, force: boolean, again: Again): Promise<FlushReport> {
  await core.ready();
  await core.saveClock();
  const session = await core.session();
  if (!session) return { ...NOT_RUN, pause: core.runtime.pause?.why ?? null };
  endPause(core, session, force);
  if (force) core.runtime.backoffs.forget();
  if (core.runtime.pause) return { ...NOT_RUN, pause: core.runtime.pause.why };
  const tally: Tally = { acknowledged: 0, failed: 0, setAside: 0, suspects: [] };
  const ran = await core.env.locks.run(`outbox:${session.owner}`, (held) =>
    runPass({ core, session, held, tally, again }),
  );
  return ran.ran ? ran.value : NOT_RUN;
}
