import type { Timers } from '#app/outbox/surroundings.ts';
import type { DraftKeeper, KeptDraft } from '#app/storage/drafts.ts';
import { isOwn, type Copy } from './copy.ts';

/** How long what was typed may be in memory alone, milliseconds. */
const KEEP_MS = 250;

/** The row of a tab follows its copy. */
export interface Keeping {
  /** Durable once it resolves; rejects where the device does not keep. */
  keep(): Promise<void>;
  soon(): void;
  /** The last writing went well. */
  isWell(): boolean;
  /** Milliseconds; null: there is no row. */
  keptAt(): number | null;
}

/** As the device keeps it: with the start of the next merge, since a conflict must outlive the tab. */
const rowOf = ({ server, start, mine, sent }: Copy, at: number): KeptDraft => ({
  base: { draftVersion: server.draftVersion, questions: [...start] },
  mine: [...mine],
  sent: sent.map(({ order, changed }) => ({ order: [...order], changed: [...changed] })),
  at,
});

export function createKeeping(of: {
  keeper: DraftKeeper;
  now: () => number;
  timers: Timers;
  current: () => Copy | null;
  onChange: () => void;
}): Keeping {
  const { keeper, now, timers, current, onChange } = of;
  let kept: { copy: Copy; at: number } | null = null;
  let isWell = keeper.durable;
  let timer: unknown = null;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const copy = current();
    if (!copy || !keeper.durable || (kept?.copy === copy && isWell)) return;
    if (!isOwn(copy) && copy.sent.length === 0) {
      if (kept) await keeper.clear();
      kept = null;
      return;
    }
    const at = now();
    await keeper.write(rowOf(copy, at));
    kept = { copy, at };
    isWell = true;
    onChange();
  }

  function keep(): Promise<void> {
    timers.clear(timer);
    timer = null;
    const mine = writing.then(write);
    writing = mine.catch(() => {
      isWell = false;
      onChange();
    });
    return mine;
  }

  return {
    keep,
    soon: () => {
      timer ??= timers.set(() => void keep().catch(() => undefined), KEEP_MS);
    },
    isWell: () => isWell,
    keptAt: () => kept?.at ?? null,
  };
}
