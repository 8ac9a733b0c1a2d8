import type { Answer, SavedAnswers } from '#contract/answers.ts';
import type { Started } from '#contract/passing.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import {
  adoptDeadline,
  adoptSaved,
  adoptStarted,
  attemptsOf,
  changeAttempt,
  deleteExpiredAttempts,
  toLocal,
} from './attempts.ts';
import { ignoreStorageFailure } from '#app/storage/storage.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import type { Begins } from './begin.ts';
import { createCore, type Core } from './core.ts';
import type { Handovers } from './handover.ts';
import { queueMissedFinishes, writeAnswer, writeFinish } from './write.ts';
import { noteFacts, noteSuccess, reportHeads, setReachability, startAttempt } from './exchange.ts';
import {
  exportUnsent,
  othersWaiting,
  ownersSync,
  snapshot,
  unsentCount,
  visibleAttempt,
} from './view.ts';
import type { UnsentAttempt } from './unsent-attempts.ts';
import { addFile, changeFiles, type ChangeFiles, type PlaceFile } from './change-files.ts';
import { fileBytes } from './files.ts';
import { type RerunSignal, flushOnce, loadBegin } from './send-loop.ts';
import { encryptRows, openRows } from './decrypt.ts';
import { forgetTyped, noteTyped, storeTyped, type TypingAttempt } from './typed-texts.ts';
import { reopenEarlyFinishes, retryAtStartup, retrySetAside } from './settle.ts';
import type {
  AttemptView,
  FileToAdd,
  FlushReport,
  LocalAttempt,
  OutboxEvent,
  Reachability,
  StartOutcome,
  StoredOperation,
  SyncView,
} from './types.ts';
import type { OutboxEnvironment } from './environment.ts';

/**
 * An answer is written to the device first, then sent until a receipt confirms it.
 *
 * Guarantees for a student, each with the invariant of the simulation (`simulation/invariants/`) or of its screens
 * (`simulation/looks.ts`) that checks it:
 * - An answer shown as saved is never lost: `savedIsStored`; nor is its file: `filesHaveBytes`.
 * - It is sent automatically once the network is back: `drains`, `nothingRefused`.
 * - «На сервере» is shown only for an answer with a receipt: `serverStageNeedsReceipt`, `acknowledgedStays`.
 * - It counts once, however often it was sent: `oneEffect`.
 * - The last answer to a question counts: `sequenceFollowsWriting`, `sequencesUnique`, `highestIsFinal`.
 * - A reload shows every answer again: `reloadShowsAll`.
 * - A finish leaves no answer behind: `finishIsBarrier`, `givenUpForReason`.
 * - The remaining time is the server's and never shrinks by a jump: `timeLeftIsTrue`, `deadlineNeverEarlier`. Of an
 *   attempt begun here only once the server replied to that, as the screen says: `checkedTimeIsServers`.
 * - An attempt begun here reaches the server before its answers, once: `begin.test.ts`.
 * - Nobody else sees or sends it: `ownerOnly`; after a sign-out it is encrypted: `outbox-tablets.test.ts`.
 *
 * Several outboxes may share one database (tabs, the worker): sequences come from transactions, and one
 * sender at a time holds `outbox:{owner}`. Sends only for the owner in the session mirror.
 *
 * The path of an answer: `writeAnswer` (write) → `writeNew` (storage) → `flushOnce` (send-loop), which sends the tasks
 * that `planTasks` (plan) finds due and `claimForSending` (settle) marks as sent → `exchange` → `applyReply` (replies)
 * → `acknowledge` (settle), by `transition`. When it may be deleted: `computeRetentionEnd` (attempts).
 */
export interface Outbox {
  /** For the signed-in user. After an unclear reply the key is reused: calling again repeats the same start. */
  startAttempt(testId: string, options?: { takeOver?: string }): Promise<StartOutcome>;
  /** For attempts that begin without the server; loaded when it is needed. */
  begins(): Promise<Begins>;
  /** For what is brought to the server without a network; loaded when it is needed. */
  handovers(): Promise<Handovers>;
  /** Stores a start's reply; `startAttempt` does it itself. */
  adoptStarted(owner: string, started: Started): Promise<LocalAttempt>;
  /** Called after every successful read of the saved answers. Shown answers never disappear. */
  adoptSaved(attemptId: string, saved: SavedAnswers): Promise<void>;
  /** Called after every successful read of the attempt's state; ISO times. Times never move earlier. */
  adoptDeadline(attemptId: string, times: { deadline: string; countsUntil: string }): Promise<void>;

  /** Null: not on this device, or owned by another user. */
  attempt(attemptId: string): Promise<LocalAttempt | null>;
  /** The newest one of this test on this device. */
  attemptByTest(owner: string, testId: string): Promise<LocalAttempt | null>;
  /** Attempts that are neither finished, nor past their deadline, nor moved to another device; oldest first. */
  runningAttempts(owner: string): Promise<LocalAttempt[]>;
  snapshot(attemptId: string): Promise<AttemptView | null>;
  /** For the header's indicator: of one attempt, or of all attempts of the signed-in user. */
  syncState(attemptId?: string): Promise<SyncView>;
  /** Number of waiting operations, for the warning at sign-out. */
  unsentCount(owner: string): Promise<number>;
  /** Operations of a person that the server does not have, on the device or only in memory. */
  unsentAttempts(owner: string): Promise<UnsentAttempt[]>;
  /** Whether answers of other users wait here, for the note at sign-in. */
  othersWaiting(owner: string | null): Promise<boolean>;
  /** Corrected server time, milliseconds; null before the first reply ever. */
  serverNow(): number | null;
  subscribe(listener: (event: OutboxEvent) => void): () => void;

  /** Resolves when stored (`saved`), or, on a full device, when in memory. Throws `OutboxRefusal`. */
  answer(attemptId: string, answer: Answer): Promise<StoredOperation>;
  /** Called at each key, before `answer` stores the text: synchronous, so that leaving the page loses nothing. */
  noteTyped(attempt: TypingAttempt, answer: Answer): void;
  /** Stores the texts that earlier pages noted and could not store. */
  storeTyped(): Promise<boolean>;
  /**
   * Bytes, checksum and answer in one transaction. Throws `OutboxRefusal`.
   * @param place by default the file replaces those of the answer
   */
  addFile(
    attemptId: string,
    questionId: string,
    file: FileToAdd,
    place?: PlaceFile,
  ): Promise<StoredOperation & { readonly fileId: string }>;
  /** Removes files of an answer, or changes their order. Throws `OutboxRefusal`. */
  changeFiles(attemptId: string, questionId: string, change: ChangeFiles): Promise<StoredOperation>;
  /** Closes the inputs. Returns a finish that already waits. Throws `OutboxRefusal`. */
  finish(attemptId: string, reason: 'student' | 'deadline'): Promise<StoredOperation>;
  setMark(attemptId: string, questionId: string, marked: boolean): Promise<void>;
  setLastQuestion(attemptId: string, questionId: string): Promise<void>;
  /** Bytes of an uploaded file, while they are on this device. */
  fileBytes(fileId: string): Promise<Uint8Array<ArrayBuffer> | null>;

  /** One pass over everything due. `force` resets the back-off: the network is back, or the user requested it. */
  flush(options?: { force?: boolean }): Promise<FlushReport>;
  /** Called once when a page or worker starts: retries what is due, deletes expired attempts. */
  opened(): Promise<void>;
  /** Sends again what the server refused. */
  retrySetAside(attemptId: string): Promise<void>;
  /** Applies replies of calls made elsewhere: clock, server epoch, reachability. */
  observe(facts: ReplyFacts): Promise<void>;
  /** Reports to the server that this device is online and how far it has written. */
  report(): Promise<void>;
  reachability(): Reachability;
  setReachability(reachability: Reachability): void;
  /** Claims the attempt for this tab; false while another tab has it. May be called repeatedly. */
  claimTab(attemptId: string): Promise<boolean>;
  releaseTab(attemptId: string): void;
  /**
   * On sign-in: encrypts other users' rows and decrypts this user's. Without a key (null) the stored key of
   * this session is used. False: there is none, and the user's rows stay unchanged.
   */
  openRows(owner: string, deviceKey: string | null): Promise<boolean>;
  /** On an explicit sign-out: encrypts all rows and deletes the keys. */
  encryptRows(): Promise<void>;
  /** Number of the signed-in user's rows that cannot be decrypted; they are not deleted. */
  unreadable(): Promise<number>;
  /** JSON text of everything the server does not have. */
  exportUnsent(owner: string): Promise<string>;
}

// Lazy: shown on request alone.
const loadUnsentAttempts = createModuleLoader(() => import('./unsent-attempts.ts'));
// Lazy: few answers need another way than the network.
const loadHandover = createModuleLoader(() => import('./handover.ts'));

/** One flush at a time: a request during one makes it look again. */
function createFlush(core: Core): (force: boolean) => Promise<FlushReport> {
  const rerun: RerunSignal = { wanted: false, nudge: () => undefined };
  let running: Promise<FlushReport> | null = null;
  return async (force) => {
    if (running) {
      if (force) core.runtime.backoffs.forget();
      rerun.wanted = true;
      rerun.nudge();
      return running;
    }
    running = flushOnce(core, force, rerun).finally(() => {
      running = null;
    });
    return running;
  };
}

/** Runs tasks one after another: a user who has just signed out may already be back. */
function createSerializer(): <T>(task: () => Promise<T>) => Promise<T> {
  let lastTask: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = lastTask.then(task, task);
    lastTask = next;
    return next;
  };
}

async function claimTab(core: Core, attemptId: string): Promise<boolean> {
  const { env, runtime } = core;
  if (runtime.tabLocks.has(attemptId)) return true;
  // Without storage for the lock nobody can know; sequences stay unique all the same.
  const release = await env.locks.hold(`attempt:${attemptId}`).catch(() => () => undefined);
  if (release) runtime.tabLocks.set(attemptId, release);
  // The previous tab may have ended while somebody typed in it.
  if (release) await storeTyped(core);
  const isSecond = release === null;
  if (isSecond === runtime.secondTab.has(attemptId)) return !isSecond;
  if (isSecond) runtime.secondTab.add(attemptId);
  else runtime.secondTab.delete(attemptId);
  core.emit({ kind: 'changed', attemptId });
  return !isSecond;
}

function releaseTab({ runtime }: Core, attemptId: string): void {
  runtime.tabLocks.get(attemptId)?.();
  runtime.tabLocks.delete(attemptId);
  runtime.secondTab.delete(attemptId);
}

async function onClockSet(core: Core): Promise<void> {
  await core.saveClock();
  const session = await core.session();
  if (session) await reopenEarlyFinishes(core, session.owner);
}

async function onOpened(core: Core): Promise<void> {
  await core.ready();
  const session = await core.session();
  if (!session) return;
  await retryAtStartup(core, session.owner);
  await reopenEarlyFinishes(core, session.owner).catch(ignoreStorageFailure);
  await queueMissedFinishes(core, session.owner);
  await deleteExpiredAttempts(core, session.owner);
}

type Reading = Pick<
  Outbox,
  | 'attempt'
  | 'attemptByTest'
  | 'runningAttempts'
  | 'snapshot'
  | 'syncState'
  | 'unsentCount'
  | 'unsentAttempts'
  | 'othersWaiting'
  | 'serverNow'
  | 'subscribe'
  | 'fileBytes'
  | 'reachability'
  | 'unreadable'
  | 'exportUnsent'
>;

/** The part of the outbox that changes nothing. */
function createReading(core: Core): Reading {
  return {
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
      const now = core.clock.serverNow() ?? core.clock.wall();
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
    unsentAttempts: async (owner) => (await loadUnsentAttempts()).readUnsentAttempts(core, owner),
    othersWaiting: (owner) => othersWaiting(core, owner),
    serverNow: () => core.clock.serverNow(),
    subscribe: (listener) => core.subscribe(listener),
    fileBytes: (fileId) => fileBytes(core, fileId),
    reachability: () => core.runtime.reachability,
    unreadable: () => Promise.resolve(core.runtime.unreadable),
    exportUnsent: (owner) => exportUnsent(core, owner),
  };
}

type Writing = Pick<
  Outbox,
  | 'answer'
  | 'noteTyped'
  | 'storeTyped'
  | 'addFile'
  | 'changeFiles'
  | 'finish'
  | 'setMark'
  | 'setLastQuestion'
>;

/** The part of the outbox that stores what the student does. */
function createWriting(core: Core): Writing {
  return {
    answer: async (attemptId, answer) => {
      const stored = await writeAnswer(core, attemptId, answer);
      if (stored.saved) forgetTyped(core, attemptId, answer);
      return stored;
    },
    noteTyped: (attempt, answer) => noteTyped(core, attempt, answer),
    storeTyped: () => storeTyped(core),
    addFile: (attemptId, questionId, file, place = (_, added) => [added]) =>
      addFile(core, attemptId, questionId, file, place),
    changeFiles: (attemptId, questionId, change) =>
      changeFiles(core, attemptId, questionId, change),
    finish: (attemptId, reason) => writeFinish(core, attemptId, reason),
    setMark: (attemptId, questionId, marked) =>
      changeAttempt(core, attemptId, (row) => {
        const others = row.marks.filter((id) => id !== questionId);
        return { ...row, marks: marked ? [...others, questionId] : others };
      }),
    setLastQuestion: (attemptId, lastQuestionId) =>
      changeAttempt(core, attemptId, (row) => ({ ...row, lastQuestionId })),
  };
}

export function createOutbox(env: OutboxEnvironment): Outbox {
  const core = createCore(env);
  const flush = createFlush(core);
  const serialize = createSerializer();

  env.channel?.listen((message) => {
    if (message.kind === 'changed' || message.kind === 'finished') core.notify(message);
    else core.notify({ kind: 'written', attemptId: null });
  });
  core.subscribe((event) => {
    if (event.kind === 'clockSet') onClockSet(core).catch(ignoreStorageFailure);
  });

  return {
    ...createReading(core),
    ...createWriting(core),
    startAttempt: (testId, options) => startAttempt(core, testId, options),
    begins: async () => (await loadBegin()).createBegins(core),
    handovers: async () => (await loadHandover()).createHandovers(core),
    adoptStarted: (owner, started) => adoptStarted(core, owner, started),
    adoptSaved: (attemptId, saved) => adoptSaved(core, attemptId, saved),
    adoptDeadline: (attemptId, times) => adoptDeadline(core, attemptId, times),
    flush: (options = {}) => flush(options.force ?? false),
    opened: () => onOpened(core),
    retrySetAside: (attemptId) => retrySetAside(core, attemptId),
    observe: async (facts) => {
      await noteFacts(core, facts, null);
      // The health route proves nothing about the database, and the worker's cached reply nothing about the server.
      const isFresh = facts.serverTime !== null && facts.route !== 'health';
      if (isFresh && facts.status < 300) noteSuccess(core);
    },
    report: () => reportHeads(core),
    setReachability: (reachability) => setReachability(core, reachability),
    claimTab: (attemptId) => claimTab(core, attemptId),
    releaseTab: (attemptId) => releaseTab(core, attemptId),
    openRows: (owner, deviceKey) => serialize(() => openRows(core, owner, deviceKey)),
    encryptRows: () => serialize(() => encryptRows(core)),
  };
}
