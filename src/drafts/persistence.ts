import type { Timers } from '#app/api/timers.ts';
import type { DraftStore, StoredDraft } from '#app/storage/draft-store.ts';
import { isLocal, type WorkingCopy } from './copy.ts';

/** Debounce of saving typed text on the device, milliseconds. */
const SAVE_DELAY_MS = 250;

/** Persists the working copy in the tab's row. */
export interface DraftPersistence {
  /** Durable once resolved; rejects if the device cannot store. */
  save(): Promise<void>;
  saveSoon(): void;
  /** Whether the last write succeeded. */
  isHealthy(): boolean;
  /** Milliseconds; null: there is no row. */
  savedAt(): number | null;
}

/** The stored row includes the start of the next merge, since a conflict must survive the tab. */
const rowOf = ({ server, start, mine, sent }: WorkingCopy, at: number): StoredDraft => ({
  base: { draftVersion: server.draftVersion, questions: [...start] },
  mine: [...mine],
  sent: sent.map(({ order, changed }) => ({ order: [...order], changed: [...changed] })),
  at,
});

export function createPersistence(of: {
  store: DraftStore;
  now: () => number;
  timers: Timers;
  current: () => WorkingCopy | null;
  onChange: () => void;
}): DraftPersistence {
  const { store, now, timers, current, onChange } = of;
  let saved: { copy: WorkingCopy; at: number } | null = null;
  let isHealthy = store.durable;
  let timer: unknown = null;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const copy = current();
    if (!copy || !store.durable || (saved?.copy === copy && isHealthy)) return;
    if (!isLocal(copy) && copy.sent.length === 0) {
      if (saved) await store.clear();
      saved = null;
      return;
    }
    const at = now();
    await store.write(rowOf(copy, at));
    saved = { copy, at };
    isHealthy = true;
    onChange();
  }

  function save(): Promise<void> {
    timers.clear(timer);
    timer = null;
    const done = writing.then(write);
    writing = done.catch(() => {
      isHealthy = false;
      onChange();
    });
    return done;
  }

  return {
    save,
    saveSoon: () => {
      timer ??= timers.set(() => void save().catch(() => undefined), SAVE_DELAY_MS);
    },
    isHealthy: () => isHealthy,
    savedAt: () => saved?.at ?? null,
  };
}
