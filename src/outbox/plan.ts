import type { FileRow, OperationRow } from '#app/storage/rows.ts';

/** One exchange with the server. */
export type Task =
  | { readonly kind: 'answer' | 'finish'; readonly operation: OperationRow }
  /** `operation` is the answer that waits for the file; null: the server asked for the file again. */
  | { readonly kind: 'upload'; readonly file: FileRow; readonly operation: OperationRow | null }
  /** An answer whose file is no longer on the device, or was given up. */
  | { readonly kind: 'fileLost'; readonly operation: OperationRow; readonly file: FileRow | null };

export interface Work {
  /** All waiting operations of the owner. */
  readonly waiting: readonly OperationRow[];
  /** All files of the owner. */
  readonly files: readonly FileRow[];
  /** Keys of what is on its way now. */
  readonly busy: ReadonlySet<string>;
  readonly isDue: (key: string) => boolean;
  readonly failures: (key: string) => number;
  /** Poisoned operations tried since their finish was tried last. */
  readonly tried: ReadonlySet<string>;
}

const questionKey = (one: {
  attemptId: string;
  stream: string;
  questionId: string | null;
}): string => `${one.attemptId}/${one.stream}/${one.questionId ?? 'finish'}`;

/** What must never go at the same time. */
export function taskKey(task: Task): string {
  return task.kind === 'upload' ? questionKey(task.file) : questionKey(task.operation);
}

/** What waits by itself after a failure. */
export function waitKey(task: Task): string {
  return task.kind === 'upload' ? task.file.fileId : task.operation.operationId;
}

const isUnderWay = (file: FileRow): boolean =>
  file.state === 'unchecked' || file.state === 'uploading';

const bySequence = (a: OperationRow, b: OperationRow): number =>
  a.epoch - b.epoch || a.sequence - b.sequence;

/** The operation of a question that goes next: order is kept, but poisoned ones hold nobody up. */
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

function answerTask(operation: OperationRow, files: ReadonlyMap<string, FileRow>): Task {
  // One that is sent again after a restore goes first: it makes the attempt known that its file needs.
  const needsFile = operation.fileId !== null && operation.receipt === null;
  if (!needsFile) return { kind: 'answer', operation };
  const file = files.get(operation.fileId ?? '');
  if (!file || file.state === 'setAside') {
    return { kind: 'fileLost', operation, file: file ?? null };
  }
  return file.state === 'complete'
    ? { kind: 'answer', operation }
    : { kind: 'upload', file, operation };
}

/** Everything that could go once waits are over, finishes excepted. */
function openTasks(work: Work): Task[] {
  const files = new Map(work.files.map((file) => [file.fileId, file]));
  const answers = heads(work.waiting).map((operation) => answerTask(operation, files));
  const planned = new Set(
    answers.flatMap((task) => (task.kind === 'upload' ? [task.file.fileId] : [])),
  );
  const wanted = work.files.filter(
    (file) => file.wanted && isUnderWay(file) && !planned.has(file.fileId),
  );
  return [...answers, ...wanted.map((file): Task => ({ kind: 'upload', file, operation: null }))];
}

/** A finish goes when nothing of its stream waits: poisoned ones are named in it instead. */
function finishTasks(work: Work): Task[] {
  const blocked = new Set<string>();
  const streamKey = (one: { attemptId: string; stream: string }): string =>
    `${one.attemptId}/${one.stream}`;
  for (const one of work.waiting) {
    if (one.kind === 'answer' && !one.poisoned) blocked.add(streamKey(one));
  }
  for (const file of work.files) if (file.wanted && isUnderWay(file)) blocked.add(streamKey(file));
  const ready = work.waiting.filter((one) => one.kind === 'finish' && !blocked.has(streamKey(one)));
  // A poisoned answer gets one more chance right before the finish that would leave it behind.
  return ready.flatMap((finish): Task[] => {
    const chances = work.waiting.filter(
      (one) =>
        one.poisoned && streamKey(one) === streamKey(finish) && !work.tried.has(one.operationId),
    );
    if (chances.length === 0) return [{ kind: 'finish', operation: finish }];
    const files = new Map(work.files.map((file) => [file.fileId, file]));
    return work.isDue(finish.operationId) ? chances.map((one) => answerTask(one, files)) : [];
  });
}

function order(work: Work) {
  const since = (task: Task): number =>
    task.kind === 'upload' ? Infinity : (task.operation.acknowledgedAt ?? Infinity);
  const place = (task: Task): [number, number] => {
    const { operation } = task;
    return [operation?.epoch ?? 0, operation?.sequence ?? 0];
  };
  // Those that failed go last, so that one that breaks the connection never starves the others.
  return (a: Task, b: Task): number => {
    const byFailures = work.failures(waitKey(a)) - work.failures(waitKey(b));
    if (byFailures !== 0) return byFailures;
    const [left, right] = [since(a), since(b)];
    if (left !== right) return left < right ? -1 : 1;
    const [x, y] = [place(a), place(b)];
    return x[0] - y[0] || x[1] - y[1];
  };
}

/** What may be sent now, in order: answers and files first, a finish when nothing else of its attempt can go. */
export function planTasks(work: Work): Task[] {
  const isFree = (task: Task): boolean =>
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

const attemptOf = (task: Task): string =>
  task.kind === 'upload' ? task.file.attemptId : task.operation.attemptId;

/** Keys of everything that waits for its time. */
export function waitingKeys(work: Pick<Work, 'waiting' | 'files'>): string[] {
  const all: Work = {
    ...work,
    busy: new Set(),
    isDue: () => true,
    failures: () => 0,
    tried: new Set(work.waiting.map((one) => one.operationId)),
  };
  return [...openTasks(all), ...finishTasks(all)].map(waitKey);
}
