/** A picked file that the outbox has not stored. */
export interface FilePick {
  /** Increases with each pick of the attempt. */
  readonly pickId: number;
  readonly questionId: string;
  readonly name: string;
  readonly size: number;
  /**
   * `reading`: its bytes are being read; may be cancelled. `storing`: the outbox writes it. `failed`: it could not
   * be read or stored. `missed`: the attempt was finished first.
   */
  readonly step: 'reading' | 'storing' | 'failed' | 'missed';
  /** Why it failed, in Russian. */
  readonly problem: string | null;
}

/** Why a picked file cannot be read; the message is in Russian. */
export class PickProblem extends Error {}

/** A file to pick, with how to read it. */
export interface FileToPick<T> {
  readonly questionId: string;
  readonly name: string;
  readonly size: number;
  /** It cancels every older pick of the question. */
  readonly replaces: boolean;
  readonly read: () => Promise<T>;
}

export interface FilePickSteps<T> {
  /**
   * Returns the id of the stored file.
   * @param later files that newer picks of the question have stored already: this one comes before them
   */
  readonly store: (questionId: string, file: T, later: readonly string[]) => Promise<string>;
  readonly explain: (cause: unknown) => string;
}

export interface FilePicks<T> {
  /** Reads a file and stores it. */
  pick(file: FileToPick<T>): void;
  /** Cancels a pick that is being read, or dismisses one that failed. */
  cancel(pickId: number): void;
  /** Called at the finish: a pick that is still being read is missed. Resolves once nothing is being stored. */
  close(): Promise<void>;
  /** Called when the deadline was moved or the finish could not be written. */
  reopen(): void;
  /** In the order of picking; a new array after each change. */
  list(): readonly FilePick[];
  subscribe(listener: () => void): () => void;
}

export const isPending = ({ step }: FilePick): boolean => step === 'reading' || step === 'storing';

export const MISSED = 'Файл ещё читался, когда тест завершился: он не сдан.';
export const INTERRUPTED = 'Файл не дочитан. Выберите его ещё раз.';

/** The observable list of picks. */
function createPickList() {
  let picks: readonly FilePick[] = [];
  const listeners = new Set<() => void>();

  function show(next: readonly FilePick[]): void {
    picks = next;
    for (const listener of listeners) listener();
  }
  const change = (pickId: number, changes: Pick<FilePick, 'step' | 'problem'>) =>
    show(picks.map((one) => (one.pickId === pickId ? { ...one, ...changes } : one)));
  const changeAll = (from: FilePick['step'], changes: Pick<FilePick, 'step' | 'problem'>) =>
    show(picks.map((one) => (one.step === from ? { ...one, ...changes } : one)));
  const remove = (pickId: number) => show(picks.filter((one) => one.pickId !== pickId));
  const stepOf = (pickId: number) => picks.find((one) => one.pickId === pickId)?.step;

  return {
    list: () => picks,
    show,
    change,
    changeAll,
    remove,
    stepOf,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Runs the work of each question one after another. */
function createTurns() {
  const running = new Map<string, Promise<void>>();
  return {
    add(questionId: string, work: () => Promise<void>): Promise<void> {
      const before = running.get(questionId) ?? Promise.resolve();
      const mine = before.then(work);
      running.set(
        questionId,
        mine.catch(() => undefined),
      );
      return mine;
    },
    settled: () => Promise.all(running.values()),
  };
}

/**
 *   pick ──▶ reading ──▶ storing ──▶ (gone: the outbox has it)
 *               │  │          └──▶ failed
 *               │  ├── read or store rejects ──▶ failed ── cancel ──▶ (gone)
 *               │  └── close ──▶ missed
 *               └── cancel, or a newer pick that replaces it ──▶ (gone)
 *
 * A file of the cloud or the camera may take seconds to read, and reads end in any order. A result counts only as
 * long as its pick is being read; the files of a question are stored one after another.
 */
export function createFilePicks<T>({ store, explain }: FilePickSteps<T>): FilePicks<T> {
  const { list, show, change, changeAll, remove, stepOf, subscribe } = createPickList();
  let last = 0;
  let isClosed = false;
  const turns = createTurns();
  /** The pick that stored a file. */
  const stored = new Map<string, FilePick>();

  async function storeOne(pick: FilePick, file: T): Promise<void> {
    if (stepOf(pick.pickId) !== 'reading') return;
    change(pick.pickId, { step: 'storing', problem: null });
    const { questionId, pickId } = pick;
    const later = [...stored].flatMap(([fileId, one]) =>
      one.questionId === questionId && one.pickId > pickId ? [fileId] : [],
    );
    stored.set(await store(questionId, file, later), pick);
    remove(pickId);
  }

  async function run(pick: FilePick, read: () => Promise<T>): Promise<void> {
    try {
      const file = await read();
      await turns.add(pick.questionId, () => storeOne(pick, file));
    } catch (cause) {
      const step = stepOf(pick.pickId);
      if (step !== 'reading' && step !== 'storing') return;
      change(pick.pickId, { step: 'failed', problem: explain(cause) });
    }
  }

  return {
    pick({ questionId, name, size, replaces, read }) {
      last += 1;
      const pick: FilePick = {
        pickId: last,
        questionId,
        name,
        size,
        step: isClosed ? 'missed' : 'reading',
        problem: isClosed ? MISSED : null,
      };
      // A pick that is being stored is older, so it is stored first.
      const rest = list().filter(
        (one) => !replaces || one.questionId !== questionId || one.step === 'storing',
      );
      show([...rest, pick]);
      if (!isClosed) void run(pick, read);
    },
    cancel(pickId) {
      if (stepOf(pickId) !== 'storing') remove(pickId);
    },
    async close() {
      isClosed = true;
      changeAll('reading', { step: 'missed', problem: MISSED });
      await turns.settled();
    },
    reopen() {
      if (!isClosed) return;
      isClosed = false;
      changeAll('missed', { step: 'failed', problem: INTERRUPTED });
    },
    list,
    subscribe,
  };
}
