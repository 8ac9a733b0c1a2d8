import type { AttemptRow, FileRow, OperationRow, StreamRow } from '#app/storage/rows.ts';
import type { Undeliverable } from './transport.ts';

/**
 * Decides what may be sent now and when it is tried again, what a finish declares, and what INCOMPLETE makes the device
 * resend. No I/O.
 */

/** One exchange with the server. */
export type SendTask =
  | { readonly kind: 'answer' | 'finish'; readonly operation: OperationRow }
  /** `operation` is the answer that needs the file; null: the server requested the file again. */
  | { readonly kind: 'upload'; readonly file: FileRow; readonly operation: OperationRow | null }
  /** An answer with a file that is no longer on the device, or was set aside. */
  | { readonly kind: 'fileLost'; readonly operation: OperationRow; readonly file: FileRow | null }
  /** The begin of an attempt that the server does not know. */
  | { readonly kind: 'begin'; readonly attempt: AttemptRow; readonly operation: null };

export interface PendingWork {
  /** Attempts of the owner whose begin waits. */
  readonly begins: readonly AttemptRow[];
  /** All waiting operations of the owner's other attempts. */
  readonly waiting: readonly OperationRow[];
  /** All files of the owner's other attempts. */
  readonly files: readonly FileRow[];
  /** Keys of the tasks that are running now. */
  readonly busy: ReadonlySet<string>;
  readonly isDue: (key: string) => boolean;
  readonly failures: (key: string) => number;
  /** Poisoned operations tried since the last try of their finish. */
  readonly tried: ReadonlySet<string>;
}

const questionKey = (one: {
  attemptId: string;
  stream: string;
  questionId?: string | null;
}): string => `${one.attemptId}/${one.stream}/${one.questionId ?? 'finish'}`;

function subjectOf(task: SendTask): AttemptRow | OperationRow | FileRow {
  if (task.kind === 'begin') return task.attempt;
  return task.kind === 'upload' ? task.file : task.operation;
}

export const attemptOf = (task: SendTask): string => subjectOf(task).attemptId;

/** Tasks with the same key never run at the same time. */
export function taskKey(task: SendTask): string {
  return questionKey(subjectOf(task));
}

/** Key of the back-off after a failure. */
export function waitKey(task: SendTask): string {
  if (task.kind === 'upload') return task.file.fileId;
  return task.operation?.operationId ?? attemptOf(task);
}

/** The files that an operation names, in order. */
export function fileIdsOf({ fileId, answer }: Pick<OperationRow, 'fileId' | 'answer'>): string[] {
  const more = answer?.kind === 'file' ? (answer.more ?? []) : [];
  return fileId === null ? [] : [fileId, ...more.map((file) => file.fileId)];
}

const isPending = (file: FileRow): boolean =>
  file.state === 'unchecked' || file.state === 'uploading';

/** A whole file that the server may lack: its upload is looked up, and goes again. */
export const SENT_AGAIN = { state: 'unchecked', wanted: true } as const;

/** Its answer is on the server without it. */
export const isFollowing = (file: FileRow): boolean => file.wanted && isPending(file);

const bySequence = (a: OperationRow, b: OperationRow): number =>
  a.epoch - b.epoch || a.sequence - b.sequence;

/** Pages that do not know of each other's rows give sequences of their own, so the time goes first. */
const byWriting = (a: OperationRow, b: OperationRow): number =>
  a.writtenEra - b.writtenEra || a.writtenWall - b.writtenWall || a.sequence - b.sequence;

/** An active answer to the same question, written later: this one must not outrank it. */
export const newerAnswer = (
  row: OperationRow,
  all: readonly OperationRow[],
): OperationRow | undefined =>
  all.find(
    (one) =>
      row.kind === 'answer' &&
      one.stream === row.stream &&
      one.questionId === row.questionId &&
      byWriting(one, row) > 0 &&
      (one.state === 'waiting' || one.state === 'acknowledged'),
  );

/** Refused since its attempt was deleted, which may be taken back. */
const isOfGone = ({ refusal }: FileRow): boolean => refusal?.code === 'GONE';

/** Not on the server, though its answer may be. */
export const isMissing = (file: FileRow): boolean => isFollowing(file) || file.state === 'setAside';

/**
 * Operations as their files leave them: an answer on the server waits while a file has yet to follow it, and is set
 * aside with a file that was refused, unless a later answer replaces it.
 */
export function followFiles(
  operations: readonly OperationRow[],
  files: readonly FileRow[],
): OperationRow[] {
  const missing = new Map(files.filter(isMissing).map((file) => [file.fileId, file]));
  const isReplaced = (row: OperationRow): boolean =>
    operations.some(
      (one) =>
        one.attemptId === row.attemptId &&
        one.questionId === row.questionId &&
        (one.state === 'waiting' || one.state === 'acknowledged') &&
        bySequence(one, row) > 0,
    );
  return operations.map((one): OperationRow => {
    if (one.state !== 'acknowledged') return one;
    const own = fileIdsOf(one).flatMap((fileId) => missing.get(fileId) ?? []);
    const [first] = own;
    if (!first) return one;
    const { refusal } = own.find(isOfGone) ?? first;
    if (own.some(isFollowing)) return { ...one, state: 'waiting', refusal };
    return isReplaced(one) ? one : { ...one, state: 'setAside', refusal };
  });
}

/** The next operation of each question: order is preserved, but poisoned ones block nothing. */
function heads(waiting: readonly OperationRow[]): OperationRow[] {
  const found = new Map<string, OperationRow>();
  for (const one of [...waiting].sort(bySequence)) {
    if (one.kind !== 'answer') continue;
    const key = questionKey(one);
    const head = found.get(key);
    if (!head || (head.poisoned && !one.poisoned)) found.set(key, one);
  }
  return [...found.values()];
}

function answerTask(operation: OperationRow, files: ReadonlyMap<string, FileRow>): SendTask {
  // One resent after a restore goes before its files: it recreates the attempt that they need.
  if (operation.receipt !== null) return { kind: 'answer', operation };
  let next: FileRow | null = null;
  for (const fileId of fileIdsOf(operation)) {
    const file = files.get(fileId);
    if (!file || file.state === 'setAside') {
      return { kind: 'fileLost', operation, file: file ?? null };
    }
    if (file.state !== 'complete') next ??= file;
  }
  return next ? { kind: 'upload', file: next, operation } : { kind: 'answer', operation };
}

/** All tasks that could run once their back-off is over, except finishes. */
function openTasks(work: PendingWork): SendTask[] {
  const files = new Map(work.files.map((file) => [file.fileId, file]));
  const answers = heads(work.waiting).map((operation) => answerTask(operation, files));
  const planned = new Set(
    answers.flatMap((task) => (task.kind === 'upload' ? [task.file.fileId] : [])),
  );
  const wanted = work.files.filter((file) => isFollowing(file) && !planned.has(file.fileId));
  return [
    ...work.begins.map((attempt): SendTask => ({ kind: 'begin', attempt, operation: null })),
    ...answers,
    ...wanted.map((file): SendTask => ({ kind: 'upload', file, operation: null })),
  ];
}

/** A finish is sent when no operation of its stream waits; poisoned ones are declared in it instead. */
function finishTasks(work: PendingWork): SendTask[] {
  const blocked = new Set<string>();
  const streamKey = (one: { attemptId: string; stream: string }): string =>
    `${one.attemptId}/${one.stream}`;
  for (const one of work.waiting) {
    if (one.kind === 'answer' && !one.poisoned) blocked.add(streamKey(one));
  }
  for (const file of work.files) if (isFollowing(file)) blocked.add(streamKey(file));
  const ready = work.waiting.filter((one) => one.kind === 'finish' && !blocked.has(streamKey(one)));
  // A poisoned answer is tried once more right before the finish that would declare it.
  return ready.flatMap((finish): SendTask[] => {
    const chances = work.waiting.filter(
      (one) =>
        one.poisoned && streamKey(one) === streamKey(finish) && !work.tried.has(one.operationId),
    );
    if (chances.length === 0) return [{ kind: 'finish', operation: finish }];
    const files = new Map(work.files.map((file) => [file.fileId, file]));
    return work.isDue(finish.operationId) ? chances.map((one) => answerTask(one, files)) : [];
  });
}

function order(work: PendingWork) {
  const since = ({ kind, operation }: SendTask): number =>
    kind === 'upload' ? Infinity : (operation?.acknowledgedAt ?? Infinity);
  const place = (task: SendTask): [number, number] => {
    const { operation } = task;
    return [operation?.epoch ?? 0, operation?.sequence ?? 0];
  };
  // Failed ones go last, so that one that breaks the connection never starves the others.
  return (a: SendTask, b: SendTask): number => {
    const byFailures = work.failures(waitKey(a)) - work.failures(waitKey(b));
    if (byFailures !== 0) return byFailures;
    const [left, right] = [since(a), since(b)];
    if (left !== right) return left < right ? -1 : 1;
    const [x, y] = [place(a), place(b)];
    return x[0] - y[0] || x[1] - y[1];
  };
}

/** Tasks that may run now, in order: answers and files first, a finish when nothing else of its attempt can run. */
export function planTasks(work: PendingWork): SendTask[] {
  const isFree = (task: SendTask): boolean =>
    !work.busy.has(taskKey(task)) && work.isDue(waitKey(task));
  const now = openTasks(work).filter(isFree).sort(order(work));
  const attempts = new Set(now.map((task) => attemptOf(task)));
  const busyAttempts = new Set([...work.busy].map((key) => key.split('/', 1)[0]));
  const last = finishTasks(work).filter((task) => {
    const isAlone = !attempts.has(attemptOf(task)) && !busyAttempts.has(attemptOf(task));
    return isAlone && (task.kind === 'finish' ? isFree(task) : !work.busy.has(taskKey(task)));
  });
  return [...now, ...last];
}

/** Keys of everything that waits for its back-off. */
export function waitingKeys(work: Pick<PendingWork, 'begins' | 'waiting' | 'files'>): string[] {
  const all: PendingWork = {
    ...work,
    busy: new Set(),
    isDue: () => true,
    failures: () => 0,
    tried: new Set(work.waiting.map((one) => one.operationId)),
  };
  return [...openTasks(all), ...finishTasks(all)].map(waitKey);
}

export interface FinishManifest extends Undeliverable {
  readonly folded: readonly number[];
}

/**
 * @param operations all of the attempt on this device
 * @param files all of the attempt on this device
 */
export function createFinishManifest(
  finish: OperationRow,
  stream: StreamRow | null,
  operations: readonly OperationRow[],
  files: readonly FileRow[],
): FinishManifest {
  const folded: number[] = [];
  const sequences: number[] = [...(stream?.notHere ?? [])];
  for (const operation of operations) {
    if (operation.stream !== finish.stream) continue;
    if (operation.state === 'folded') folded.push(operation.sequence);
    const isAbandoned = operation.state === 'setAside' || operation.poisoned;
    if (isAbandoned || operation.state === 'dropped') sequences.push(operation.sequence);
    sequences.push(...operation.formerSequences);
  }
  const refusedFiles = files.filter(
    (file) => file.stream === finish.stream && file.state === 'setAside',
  );
  return {
    folded,
    sequences: sequences.filter((n) => n < finish.sequence),
    files: [...(stream?.filesNotHere ?? []), ...refusedFiles.map((file) => file.fileId)],
  };
}

/** Response to INCOMPLETE: what is on the device and is sent again, and what is lost. */
export interface ResendPlan {
  readonly resend: readonly OperationRow[];
  readonly lost: readonly number[];
  readonly filesToResend: readonly FileRow[];
  readonly filesLost: readonly string[];
}

/** @param exhausted sequences and files that were resent `MAX_RESENDS` times and are still missing */
export function planResend(
  finish: OperationRow,
  missing: readonly number[],
  missingFiles: readonly string[],
  operations: readonly OperationRow[],
  files: readonly FileRow[],
  exhausted: ReadonlySet<string>,
): ResendPlan {
  const answers = operations.filter((one) => one.stream === finish.stream && one.kind === 'answer');
  const resend: OperationRow[] = [];
  const lost: number[] = [];
  for (const n of missing) {
    const stored = answers.find((one) => one.sequence === n);
    const isSendable =
      stored?.state === 'acknowledged' || (stored?.state === 'waiting' && !stored.poisoned);
    if (stored && isSendable && !exhausted.has(String(n))) resend.push(stored);
    else lost.push(n);
  }
  const filesToResend: FileRow[] = [];
  const filesLost: string[] = [];
  for (const id of missingFiles) {
    const stored = files.find((file) => file.fileId === id);
    if (stored && stored.state !== 'setAside' && !exhausted.has(id)) filesToResend.push(stored);
    else filesLost.push(id);
  }
  return { resend, lost, filesToResend, filesLost };
}

/** Full jitter: base 1 s, doubling, capped at 30 s. The floor prevents a busy loop when the random value is near zero. */
const BASE_MS = 1_000;
const CAP_MS = 30_000;
const FLOOR_MS = 100;

/** An operation is poisoned after this many failures during which other calls succeeded. */
export const POISONED_AFTER = 8;
/** Retry interval of a poisoned operation. */
export const POISONED_EVERY_MS = 120_000;
/** This many different operations failing in a row mean that the server fails, not the operations. */
const MANY = 3;

/** Milliseconds to wait after the n-th failure in a row. */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failures - 1, 10));
  return Math.max(FLOOR_MS, Math.round(random() * ceiling));
}

interface Wait {
  readonly failures: number;
  readonly notBefore: number;
}

/** Retry times by key. In memory, by the monotonic clock: a reload retries at once. */
export interface Backoffs {
  isDue(key: string): boolean;
  /** Failures in a row since the last success or reload. */
  failures(key: string): number;
  /** Records a failure of this key; `waitMs` overrides the jitter. */
  failed(key: string, waitMs?: number): void;
  /** For a reply with Retry-After: the wait ends with any success of the server, unlike the jitter. */
  postpone(key: string, waitMs: number): void;
  succeeded(key: string): void;
  /** Delays every key: the server is unreachable or replied 429. `waitMs` may only lengthen the jitter. */
  delayAll(waitMs?: number): void;
  allDue(): boolean;
  /** Any success shows that the server works. True: a wait has ended by it. */
  serverSucceeded(): boolean;
  /** Milliseconds until the earliest of these is due, 0 when one is now; null for none. */
  nextIn(keys: readonly string[]): number | null;
  /** Makes everything due: the network is back, the page became visible, or the user requested a retry. */
  forget(): void;
}

export function createBackoffs(monotone: () => number, random: () => number): Backoffs {
  const waits = new Map<string, Wait>();
  /** Requested waits: monotonic times by key. */
  const requested = new Map<string, number>();
  const failedInRow = new Set<string>();
  let all: Wait = { failures: 0, notBefore: 0 };

  function delayAll(waitMs?: number): void {
    const failures = all.failures + 1;
    all = { failures, notBefore: monotone() + Math.max(waitMs ?? 0, backoffMs(failures, random)) };
  }
  const dueAt = (key: string): number =>
    Math.max(waits.get(key)?.notBefore ?? 0, requested.get(key) ?? 0);

  return {
    isDue: (key) => dueAt(key) <= monotone(),
    failures: (key) => waits.get(key)?.failures ?? 0,
    failed: (key, waitMs) => {
      const failures = (waits.get(key)?.failures ?? 0) + 1;
      waits.set(key, { failures, notBefore: monotone() + (waitMs ?? backoffMs(failures, random)) });
      failedInRow.add(key);
      if (failedInRow.size >= MANY) delayAll();
    },
    postpone: (key, waitMs) => {
      requested.set(key, monotone() + waitMs);
    },
    succeeded: (key) => {
      waits.delete(key);
      requested.delete(key);
    },
    delayAll,
    allDue: () => all.notBefore <= monotone(),
    serverSucceeded: () => {
      const now = monotone();
      const hasEnded = all.notBefore > now || [...requested.values()].some((until) => until > now);
      failedInRow.clear();
      requested.clear();
      all = { failures: 0, notBefore: 0 };
      return hasEnded;
    },
    nextIn: (keys) => {
      if (keys.length === 0) return null;
      const earliest = Math.min(...keys.map(dueAt));
      return Math.max(0, Math.ceil(Math.max(earliest, all.notBefore) - monotone()));
    },
    forget: () => {
      for (const [key, wait] of waits) waits.set(key, { ...wait, notBefore: 0 });
      failedInRow.clear();
      requested.clear();
      all = { failures: 0, notBefore: 0 };
    },
  };
}
