import type { Question } from '#contract/questions.ts';
import type { Timers } from '#app/api/timers.ts';
import type { DraftStore, StoredDraft } from '#app/storage/draft-store.ts';
import {
  restoreDraft,
  freshCopy,
  isDirty,
  isLocal,
  openConflicts,
  resolved,
  keepLocalChange,
  type WorkingCopy,
} from './copy.ts';
import type { DraftEditor } from './draft.ts';
import { createExchange, type DraftServer, type SharedDraft } from './exchange.ts';
import {
  NO_HISTORY,
  redoStep,
  remember,
  undoStep,
  type EditHistory,
  type HistoryStep,
} from './history.ts';
import { createPersistence } from './persistence.ts';
import { sameList } from './same.ts';
import { conflictsOf, stateOf } from './state.ts';

export interface EngineOptions {
  readonly testId: string;
  readonly server: DraftServer;
  readonly store: DraftStore;
  readonly now: () => number;
  readonly timers: Timers;
  readonly newId: () => string;
  /** Random number from 0 to 1. */
  readonly random: () => number;
}

const UNREADABLE =
  'Правки, оставленные на этом устройстве, открыть не удалось. Они сохранены без изменений; убрать их можно при выходе';
const RESTORED = 'Восстановлены правки, которые не успели уйти на сервер';
const skippedMessage = (label: string) =>
  `Шаг «${label}» не тронут: эти вопросы тем временем изменили в другом месте`;

export interface DraftEngine {
  /** Loads from the server and from rows of closed tabs. Throws `ApiFailure` if there is nothing to show. */
  load(): Promise<void>;
  /** Null: not loaded yet. The same object until something changes. */
  view(): DraftEditor | null;
  subscribe(listener: () => void): () => void;
  /** Checks for changes made elsewhere and retries failed saves. */
  look(): Promise<void>;
  /** The network is back, or the page became visible. */
  wake(): void;
  /** The page is hidden: stores edits that are only in memory. */
  hide(): Promise<void>;
  /** Sends unsent edits now. Throws `ApiFailure`. */
  flush(): Promise<void>;
  /** Whether edits exist only in memory and would be lost by leaving. */
  isAtRisk(): boolean;
  /** Sends unsent edits; with everything on the server the row is deleted. Throws `ApiFailure`. */
  settle(): Promise<void>;
  /** Whether anything is not on the server. */
  hasUnsent(): boolean;
  /** Saves and releases the row. */
  close(): Promise<void>;
  /** Deletes the row with the unsent edits. */
  abandon(): Promise<void>;
}

/** The working copy of one test without UI: stores on the device, sends, merges, records undo steps. */
export function createDraftEngine(environment: EngineOptions): DraftEngine {
  const { testId, server, store, now, timers, newId, random } = environment;
  const listeners = new Set<() => void>();
  const shared: SharedDraft = { copy: null, arrived: null };
  let history: EditHistory = NO_HISTORY;
  let notice: string | null = null;
  let isUnreadableReported = false;
  let shown: DraftEditor | null = null;

  const notify = () => {
    shown = null;
    for (const listener of listeners) listener();
  };
  const persistence = createPersistence({
    store,
    now,
    timers,
    current: () => shared.copy,
    onChange: notify,
  });
  const exchange = createExchange({ shared, server, persistence, now, timers, random, notify });

  /** Restores the row of a closed tab over the copy, and saves the result before that row is deleted. */
  async function adopt(row: StoredDraft): Promise<void> {
    const before = shared.copy;
    if (before) {
      const next = restoreDraft(before, row, newId);
      if (!sameList(next.mine, before.mine)) shared.copy = next;
    } else {
      const { draftVersion, questions } = row.base;
      shared.copy = { ...freshCopy(draftVersion, questions), mine: row.mine, sent: row.sent };
      exchange.markUnsure();
    }
    if (shared.copy !== before) {
      notice = RESTORED;
      exchange.sendSoon();
      notify();
    }
    await persistence.save();
  }

  /** Once: the note may have been dismissed. */
  function reportUnreadable(): void {
    if (isUnreadableReported) return;
    isUnreadableReported = true;
    notice = UNREADABLE;
    notify();
  }

  /** Rows of closed tabs are shown even if they cannot be written again. */
  const adoptAll = () => store.adopt(adopt, reportUnreadable).catch(() => undefined);

  // Server ---------------------------------------------------------------------

  const flush = () => exchange.runExclusive(exchange.sendAll);

  const publish = () =>
    exchange.runExclusive(async () => {
      await exchange.overNewest(server.publish);
      await exchange.readBack();
    });

  const discard = () =>
    exchange.runExclusive(async () => {
      await exchange.overNewest(server.discard);
      const before = shared.copy?.mine ?? [];
      const undecided = shared.copy ? openConflicts(shared.copy) : [];
      await exchange.readBack();
      for (const id of undecided)
        if (shared.copy) shared.copy = resolved(shared.copy, id, 'theirs', newId);
      if (shared.copy) note('Возврат к опубликованному', before, shared.copy.mine);
      shared.arrived = null;
      notify();
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

  /** Typing is debounced; other edits are saved at once. */
  function changed(next: WorkingCopy, isTyping = false): void {
    shared.copy = next;
    exchange.forgetRefusal();
    if (isTyping) persistence.saveSoon();
    else persistence.save().catch(() => undefined);
    if (isDirty(next)) exchange.sendSoon();
    notify();
  }

  const change: DraftEditor['change'] = (label, edit, options) => {
    if (!shared.copy) return;
    const before = shared.copy.mine;
    const next = keepLocalChange(shared.copy, edit(before));
    note(label, before, next.mine, options?.coalesce);
    changed(next, options?.coalesce !== undefined);
  };

  function step(result: HistoryStep | null): void {
    if (!result || !shared.copy) return;
    history = result.history;
    notice = result.skipped === null ? notice : skippedMessage(result.skipped);
    changed(keepLocalChange(shared.copy, result.questions));
  }

  const resolve: DraftEditor['resolve'] = (questionId, choice) => {
    if (!shared.copy) return;
    const before = shared.copy.mine;
    const next = resolved(shared.copy, questionId, choice, newId);
    note('Выбор из двух правок', before, next.mine);
    changed(next);
  };

  // View ------------------------------------------------------------------------

  function viewOf(current: WorkingCopy): DraftEditor {
    const facts = exchange.facts();
    return {
      testId,
      questions: current.mine,
      lifecycle: facts.lifecycle,
      hasUnpublished: facts.lifecycle !== 'draft' && (facts.hasUnpublished || isDirty(current)),
      state: stateOf(current, exchange.failure(), persistence, facts.at),
      change,
      undoLabel: history.done.at(-1)?.label ?? null,
      redoLabel: history.undone.at(-1)?.label ?? null,
      undo: () => shared.copy && step(undoStep(history, shared.copy.mine)),
      redo: () => shared.copy && step(redoStep(history, shared.copy.mine)),
      conflicts: conflictsOf(current, exchange.lastEditedBy()),
      resolve,
      arrived: shared.arrived,
      dismissArrived: () => {
        shared.arrived = null;
        notify();
      },
      notice,
      dismissNotice: () => {
        notice = null;
        notify();
      },
      flush,
      publish,
      discard,
    };
  }

  return {
    load: async () => {
      try {
        await exchange.runExclusive(exchange.read);
        await adoptAll();
      } catch (error) {
        await adoptAll();
        if (!shared.copy) throw error;
        exchange.readLater(error);
      }
      notify();
    },
    view: () => {
      if (!shared.copy) return null;
      shown ??= viewOf(shared.copy);
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
    hide: () => persistence.save().catch(() => undefined),
    flush,
    isAtRisk: () =>
      shared.copy !== null &&
      isLocal(shared.copy) &&
      exchange.failure()?.kind !== 'gone' &&
      !persistence.isHealthy(),
    settle: async () => {
      await flush();
      await persistence.save().catch(() => undefined);
    },
    hasUnsent: () => shared.copy !== null && isLocal(shared.copy),
    close: async () => {
      exchange.close();
      await persistence.save().catch(() => undefined);
      await store.close();
    },
    abandon: async () => {
      exchange.close();
      shared.copy = null;
      // After what is being written.
      await persistence.save().catch(() => undefined);
      await store.clear().catch(() => undefined);
      await store.close();
    },
  };
}
