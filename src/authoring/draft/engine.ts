import type { Question } from '#contract/questions.ts';
import type { Timers } from '#app/outbox/surroundings.ts';
import type { DraftKeeper, KeptDraft } from '#app/storage/drafts.ts';
import {
  adoptKept,
  freshCopy,
  isDirty,
  isOwn,
  openConflicts,
  resolved,
  withMine,
  type Copy,
} from './copy.ts';
import type { Draft } from './draft.ts';
import { createExchange, type DraftServer, type Held } from './exchange.ts';
import { NO_HISTORY, redoStep, remember, undoStep, type History, type Stepped } from './history.ts';
import { createKeeping } from './keeping.ts';
import { sameList } from './same.ts';
import { conflictsOf, stateOf } from './state.ts';

export interface EngineSurroundings {
  readonly testId: string;
  readonly server: DraftServer;
  readonly keeper: DraftKeeper;
  readonly now: () => number;
  readonly timers: Timers;
  readonly newId: () => string;
  /** From 0 to 1. */
  readonly random: () => number;
}

const RESTORED = 'Восстановлены правки, которые не успели уйти на сервер';
const skippedWords = (label: string) =>
  `Шаг «${label}» не тронут: эти вопросы тем временем изменили в другом месте`;

export interface DraftEngine {
  /** Reads the server and what dead tabs have left. Throws `ApiFailure` when there is nothing to show. */
  load(): Promise<void>;
  /** Null: not loaded yet. The same object until something changes. */
  view(): Draft | null;
  subscribe(listener: () => void): () => void;
  /** Asks whether somebody changed it elsewhere; also tries again what could not be sent. */
  look(): Promise<void>;
  /** The network is back, or somebody came back to the page. */
  wake(): void;
  /** The page goes: whatever is in memory is kept now. */
  hide(): Promise<void>;
  /** Sends what waits now. Throws `ApiFailure`. */
  flush(): Promise<void>;
  /** What was typed is in memory alone, and leaving loses it. */
  isAtRisk(): boolean;
  /** Keeps, and lets go of the row. */
  close(): Promise<void>;
}

/** The working copy of one test without a screen: keeps on the device, sends, merges, remembers steps. */
export function createDraftEngine(surroundings: EngineSurroundings): DraftEngine {
  const { testId, server, keeper, now, timers, newId, random } = surroundings;
  const listeners = new Set<() => void>();
  const held: Held = { copy: null, arrived: null };
  let history: History = NO_HISTORY;
  let notice: string | null = null;
  let shown: Draft | null = null;

  const tell = () => {
    shown = null;
    for (const listener of listeners) listener();
  };
  const keeping = createKeeping({ keeper, now, timers, current: () => held.copy, onChange: tell });
  const exchange = createExchange({ held, server, keeping, now, timers, random, tell });

  /** Lays what a dead tab had kept over the copy, and keeps the whole before the other row goes. */
  async function adopt(row: KeptDraft): Promise<void> {
    const before = held.copy;
    if (before) {
      const next = adoptKept(before, row, newId);
      if (!sameList(next.mine, before.mine)) held.copy = next;
    } else {
      const { draftVersion, questions } = row.base;
      held.copy = { ...freshCopy(draftVersion, questions), mine: row.mine, sent: row.sent };
      exchange.doubt();
    }
    if (held.copy !== before) {
      notice = RESTORED;
      exchange.sendSoon();
      tell();
    }
    await keeping.keep();
  }

  /** What dead tabs have left is shown whether or not it can be written anew. */
  const adoptAll = () => keeper.adopt(adopt).catch(() => undefined);

  // Server ---------------------------------------------------------------------

  const flush = () => exchange.inTurn(exchange.sendAll);

  const publish = () =>
    exchange.inTurn(async () => {
      await exchange.overNewest(server.publish);
      await exchange.readBack();
    });

  const discard = () =>
    exchange.inTurn(async () => {
      await exchange.overNewest(server.discard);
      const before = held.copy?.mine ?? [];
      const undecided = held.copy ? openConflicts(held.copy) : [];
      await exchange.readBack();
      for (const id of undecided)
        if (held.copy) held.copy = resolved(held.copy, id, 'theirs', newId);
      if (held.copy) note('Возврат к опубликованному', before, held.copy.mine);
      held.arrived = null;
      tell();
    });

  // Editing ---------------------------------------------------------------------

  function note(
    label: string,
    before: readonly Question[],
    after: readonly Question[],
    coalesce?: string,
  ): void {
    history = remember(history, before, after, { label, coalesce, at: now() });
  }

  /** Letters wait for those that follow; whatever is done by one press is kept at once. */
  function changed(next: Copy, isTyping = false): void {
    held.copy = next;
    exchange.forgetRefusal();
    if (isTyping) keeping.soon();
    else keeping.keep().catch(() => undefined);
    if (isDirty(next)) exchange.sendSoon();
    tell();
  }

  const change: Draft['change'] = (label, edit, options) => {
    if (!held.copy) return;
    const before = held.copy.mine;
    const next = withMine(held.copy, edit(before));
    note(label, before, next.mine, options?.coalesce);
    changed(next, options?.coalesce !== undefined);
  };

  function step(taken: Stepped | null): void {
    if (!taken || !held.copy) return;
    history = taken.history;
    notice = taken.skipped === null ? notice : skippedWords(taken.skipped);
    changed(withMine(held.copy, taken.questions));
  }

  const resolve: Draft['resolve'] = (questionId, choice) => {
    if (!held.copy) return;
    const before = held.copy.mine;
    const next = resolved(held.copy, questionId, choice, newId);
    note('Выбор из двух правок', before, next.mine);
    changed(next);
  };

  // View ------------------------------------------------------------------------

  function viewOf(current: Copy): Draft {
    const facts = exchange.facts();
    return {
      testId,
      questions: current.mine,
      lifecycle: facts.lifecycle,
      hasUnpublished: facts.lifecycle !== 'draft' && (facts.hasUnpublished || isDirty(current)),
      state: stateOf(current, exchange.failure(), keeping, facts.at),
      change,
      undoLabel: history.done.at(-1)?.label ?? null,
      redoLabel: history.undone.at(-1)?.label ?? null,
      undo: () => held.copy && step(undoStep(history, held.copy.mine)),
      redo: () => held.copy && step(redoStep(history, held.copy.mine)),
      conflicts: conflictsOf(current, exchange.foreignBy()),
      resolve,
      arrived: held.arrived,
      dismissArrived: () => {
        held.arrived = null;
        tell();
      },
      notice,
      dismissNotice: () => {
        notice = null;
        tell();
      },
      flush,
      publish,
      discard,
    };
  }

  return {
    load: async () => {
      try {
        await exchange.inTurn(exchange.read);
        await adoptAll();
      } catch (error) {
        await adoptAll();
        if (!held.copy) throw error;
        exchange.readLater(error);
      }
      tell();
    },
    view: () => {
      if (!held.copy) return null;
      shown ??= viewOf(held.copy);
      return shown;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look: async () => {
      await adoptAll();
      await exchange.look();
    },
    wake: exchange.wake,
    hide: async () => {
      if (held.copy && isOwn(held.copy)) await keeping.keep().catch(() => undefined);
    },
    flush,
    isAtRisk: () =>
      held.copy !== null &&
      isOwn(held.copy) &&
      exchange.failure()?.kind !== 'gone' &&
      !keeping.isWell(),
    close: async () => {
      exchange.close();
      await keeping.keep().catch(() => undefined);
      keeper.close();
    },
  };
}
