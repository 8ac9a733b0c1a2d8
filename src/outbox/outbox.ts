import type { Answer, SavedAnswers } from '#contract/answers.ts';
import type { Started } from '#contract/passing.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import {
  adoptDeadline,
  adoptSaved,
  adoptStarted,
  attemptsOf,
  changeAttempt,
  toLocal,
} from './attempts.ts';
import { createCore } from './core.ts';
import { queueMissedFinishes } from './deadlines.ts';
import { noteFacts, noteSuccess, setReachability } from './exchange.ts';
import { exportUnsent } from './export.ts';
import { addFile, fileBytes } from './files.ts';
import { flushOnce } from './flush.ts';
import type { Again } from './pass.ts';
import { encryptRows, openRows } from './protect.ts';
import { forgetOutlived } from './retention.ts';
import { reportHeads } from './report.ts';
import { retrySetAside, reviveAtOpening } from './revive.ts';
import { startAttempt } from './start.ts';
import type {
  AttemptView,
  FileToAdd,
  FlushReport,
  LocalAttempt,
  OutboxEnvironment,
  OutboxEvent,
  Reachability,
  StartOutcome,
  StoredOperation,
  SyncView,
} from './types.ts';
import { othersWaiting, ownersSync, snapshot, unsentCount, visibleAttempt } from './view.ts';
import { writeAnswer, writeFinish } from './write.ts';

/**
 * The way of an answer: written to the device first, sent until a receipt names it, never lost.
 * Several may stand over one database (tabs, the worker): sequences come from transactions, and one
 * sender at a time holds `outbox:{owner}`. Sends only for the owner in the session mirror.
 */
export interface Outbox {
  /** For the signed-in user. An unclear reply keeps the key: calling again repeats the same start. */
  startAttempt(testId: string, options?: { takeOver?: string }): Promise<StartOutcome>;
  /** Stores a start's reply; `startAttempt` does it itself. */
  adoptStarted(owner: string, started: Started): Promise<LocalAttempt>;
  /** After every successful reading of the saved answers. Never shrinks what is shown. */
  adoptSaved(attemptId: string, saved: SavedAnswers): Promise<void>;
  /** After every successful reading of the attempt's state; ISO times. Never earlier. */
  adoptDeadline(attemptId: string, times: { deadline: string; countsUntil: string }): Promise<void>;

  /** Null: not on this device, or of somebody else than who is signed in. */
  attempt(attemptId: string): Promise<LocalAttempt | null>;
  /** The newest one of this test on this device. */
  attemptByTest(owner: string, testId: string): Promise<LocalAttempt | null>;
  /** Neither finished nor past their deadline nor taken over, oldest first. */
  runningAttempts(owner: string): Promise<LocalAttempt[]>;
  snapshot(attemptId: string): Promise<AttemptView | null>;
  /** For headers: of one attempt, or of all of the signed-in user's. */
  syncState(attemptId?: string): Promise<SyncView>;
  /** Waiting operations, for the warning at logout. */
  unsentCount(owner: string): Promise<number>;
  /** Whether answers of others wait here, for the neutral note at sign-in. */
  othersWaiting(owner: string | null): Promise<boolean>;
  /** Corrected server time, milliseconds; null before the first reply ever. */
  serverNow(): number | null;
  subscribe(listener: (event: OutboxEvent) => void): () => void;

  /** Resolves when stored (`saved`), or, on a full device, when kept in memory. Throws `OutboxRefusal`. */
  answer(attemptId: string, answer: Answer): Promise<StoredOperation>;
  /** Bytes, checksum and answer in one transaction. Throws `OutboxRefusal`. */
  addFile(attemptId: string, questionId: string, file: FileToAdd): Promise<StoredOperation>;
  /** Closes the inputs. A finish that waits already is given back. Throws `OutboxRefusal`. */
  finish(attemptId: string, reason: 'student' | 'deadline'): Promise<StoredOperation>;
  setMark(attemptId: string, questionId: string, marked: boolean): Promise<void>;
  setLastQuestion(attemptId: string, questionId: string): Promise<void>;
  /** A handed-in file's bytes, as long as they are on this device. */
  fileBytes(fileId: string): Promise<Uint8Array<ArrayBuffer> | null>;

  /** One pass over everything due. `force` forgets waits: the network came back, somebody asked. */
  flush(options?: { force?: boolean }): Promise<FlushReport>;
  /** Once at the start of a page or worker: what is due at opening, what is outlived. */
  opened(): Promise<void>;
  /** Sends once more what the server did not take. */
  retrySetAside(attemptId: string): Promise<void>;
  /** Replies of calls made elsewhere: clock, server epoch, a sign that the server works. */
  observe(facts: ReplyFacts): Promise<void>;
  /** Tells the server that this device is there, and how far it has written. */
  report(): Promise<void>;
  reachability(): Reachability;
  setReachability(reachability: Reachability): void;
  /** Makes this tab the one that writes the attempt; false while another one is. Ask again at any time. */
  claimTab(attemptId: string): Promise<boolean>;
  releaseTab(attemptId: string): void;
  /**
   * Somebody signs in: what lies here of others is encrypted, what was encrypted of his comes back. Without
   * a key (null) the one of this sign-in is taken. False: there is none, and his rows stay as they are.
   */
  openRows(owner: string, deviceKey: string | null): Promise<boolean>;
  /** Somebody signed out by wish: all that lies here of anybody is encrypted, and the keys go. */
  encryptRows(): Promise<void>;
  /** Encrypted rows of who is signed in that do not open; they are kept. */
  unreadable(): Promise<number>;
  /** JSON text of everything the server does not have. */
  exportUnsent(owner: string): Promise<string>;
}

export function createOutbox(env: OutboxEnvironment): Outbox {
  const core = createCore(env);
  const { runtime } = core;
  const again: Again = { wanted: false, nudge: () => undefined };
  let running: Promise<FlushReport> | null = null;

  env.channel?.listen((message) => {
    if (message.kind === 'changed') core.hear({ kind: 'changed', attemptId: message.attemptId });
    else core.hear({ kind: 'written', attemptId: null });
  });

  async function flush(force: boolean): Promise<FlushReport> {
    if (running) {
      if (force) runtime.backoffs.forget();
      again.wanted = true;
      again.nudge();
      return running;
    }
    running = flushOnce(core, force, again).finally(() => {
      running = null;
    });
    return running;
  }

  /** One after another: who signed out a moment ago may be back. */
  let turning: Promise<unknown> = Promise.resolve();
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const mine = turning.then(task, task);
    turning = mine;
    return mine;
  }

  async function claimTab(attemptId: string): Promise<boolean> {
    if (runtime.heldTabs.has(attemptId)) return true;
    // Without a place for the lock nobody can tell; sequences stay safe all the same.
    const release = await env.locks.hold(`attempt:${attemptId}`).catch(() => () => undefined);
    if (release) runtime.heldTabs.set(attemptId, release);
    const isSecond = release === null;
    if (isSecond === runtime.secondTab.has(attemptId)) return !isSecond;
    if (isSecond) runtime.secondTab.add(attemptId);
    else runtime.secondTab.delete(attemptId);
    core.emit({ kind: 'changed', attemptId });
    return !isSecond;
  }

  return {
    startAttempt: (testId, options) => startAttempt(core, testId, options),
    adoptStarted: (owner, started) => adoptStarted(core, owner, started),
    adoptSaved: (attemptId, saved) => adoptSaved(core, attemptId, saved),
    adoptDeadline: (attemptId, times) => adoptDeadline(core, attemptId, times),

    attempt: async (attemptId) => {
      const row = await visibleAttempt(core, attemptId);
      return row && toLocal(row);
    },
    attemptByTest: async (owner, testId) => {
      const newestFirst = (await attemptsOf(core, owner)).reverse();
      const row = newestFirst.find((one) => one.testId === testId);
      return row ? toLocal(row) : null;
    },
    runningAttempts: async (owner) => {
      await core.ready();
      const now = core.keeper.serverNow() ?? core.keeper.wall();
      const rows = await attemptsOf(core, owner);
      return rows
        .filter((row) => row.state === 'running' && !row.takenOver && !row.gone)
        .filter((row) => now < row.deadline)
        .map(toLocal);
    },
    snapshot: (attemptId) => snapshot(core, attemptId),
    syncState: async (attemptId) => {
      const view = attemptId === undefined ? null : await snapshot(core, attemptId);
      return view?.sync ?? ownersSync(core);
    },
    unsentCount: (owner) => unsentCount(core, owner),
    othersWaiting: (owner) => othersWaiting(core, owner),
    serverNow: () => core.keeper.serverNow(),
    subscribe: (listener) => core.subscribe(listener),

    answer: (attemptId, answer) => writeAnswer(core, attemptId, answer),
    addFile: (attemptId, questionId, file) => addFile(core, attemptId, questionId, file),
    finish: (attemptId, reason) => writeFinish(core, attemptId, reason),
    setMark: (attemptId, questionId, marked) =>
      changeAttempt(core, attemptId, (row) => {
        const others = row.marks.filter((id) => id !== questionId);
        return { ...row, marks: marked ? [...others, questionId] : others };
      }),
    setLastQuestion: (attemptId, lastQuestionId) =>
      changeAttempt(core, attemptId, (row) => ({ ...row, lastQuestionId })),
    fileBytes: (fileId) => fileBytes(core, fileId),

    flush: (options = {}) => flush(options.force ?? false),
    opened: async () => {
      await core.ready();
      const session = await core.session();
      if (!session) return;
      await reviveAtOpening(core, session.owner);
      await queueMissedFinishes(core, session.owner);
      await forgetOutlived(core, session.owner);
    },
    retrySetAside: (attemptId) => retrySetAside(core, attemptId),
    observe: async (facts) => {
      await noteFacts(core, facts, null);
      // The health route proves nothing about the database.
      if (facts.status < 300 && facts.route !== 'health') noteSuccess(core);
    },
    report: () => reportHeads(core),
    reachability: () => runtime.reachability,
    setReachability: (reachability) => setReachability(core, reachability),
    claimTab,
    releaseTab: (attemptId) => {
      runtime.heldTabs.get(attemptId)?.();
      runtime.heldTabs.delete(attemptId);
      runtime.secondTab.delete(attemptId);
    },
    openRows: (owner, deviceKey) => inTurn(() => openRows(core, owner, deviceKey)),
    encryptRows: () => inTurn(() => encryptRows(core)),
    unreadable: () => Promise.resolve(runtime.unreadable),
    exportUnsent: (owner) => exportUnsent(core, owner),
  };
}
