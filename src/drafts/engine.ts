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
import {
  createExchange,
  type DraftExchange,
  type DraftServer,
  type SharedDraft,
} from './exchange.ts';
import {
  NO_HISTORY,
  redoStep,
  remember,
  undoStep,
  type EditHistory,
  type HistoryStep,
} from './history.ts';
import { createPersistence, type DraftPersistence } from './persistence.ts';
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

interface Engine {
  readonly options: EngineOptions;
  readonly shared: SharedDraft;
  readonly persistence: DraftPersistence;
  readonly exchange: DraftExchange;
  /** Drops the last view and informs the listeners. */
  readonly notify: () => void;
  history: EditHistory;
  notice: string | null;
  isUnreadableReported: boolean;
  /** The last view; null: something changed since. */
  shown: DraftEditor | null;
}

function createEngine(options: EngineOptions, onChange: () => void): Engine {
  const { server, store, now, timers, random } = options;
  const shared: SharedDraft = { copy: null, arrived: null };
  const notify = () => {
    engine.shown = null;
    onChange();
  };
  const current = () => shared.copy;
  const persistence = createPersistence({ store, now, timers, current, onChange: notify });
  const engine: Engine = {
    options,
    shared,
    persistence,
    exchange: createExchange({ shared, server, persistence, now, timers, random, notify }),
    notify,
    history: NO_HISTORY,
    notice: null,
    isUnreadableReported: false,
    shown: null,
  };
  return engine;
}

/** Restores the row of a closed tab over the copy, and saves the result before that row is deleted. */
async function adopt(engine: Engine, row: StoredDraft): Promise<void> {
  const { shared, exchange, persistence } = engine;
  const before = shared.copy;
  if (before) {
    const next = restoreDraft(before, row, engine.options.newId);
    if (!sameList(next.mine, before.mine)) shared.copy = next;
  } else {
    const { draftVersion, questions } = row.base;
    shared.copy = { ...freshCopy(draftVersion, questions), mine: row.mine, sent: row.sent };
    exchange.markUnsure();
  }
  if (shared.copy !== before) {
    engine.notice = RESTORED;
    exchange.sendSoon();
    engine.notify();
  }
  await persistence.save();
}

/** Once: the note may have been dismissed. */
function reportUnreadable(engine: Engine): void {
  if (engine.isUnreadableReported) return;
  engine.isUnreadableReported = true;
  engine.notice = UNREADABLE;
  engine.notify();
}

/** Rows of closed tabs are shown even if they cannot be written again. */
function adoptAll(engine: Engine): Promise<void> {
  return engine.options.store
    .adopt(
      (row) => adopt(engine, row),
      () => reportUnreadable(engine),
    )
    .catch(() => undefined);
}

async function load(engine: Engine): Promise<void> {
  const { exchange, shared } = engine;
  try {
    await exchange.runExclusive(exchange.read);
    await adoptAll(engine);
  } catch (error) {
    await adoptAll(engine);
    if (!shared.copy) throw error;
    exchange.readLater(error);
  }
  engine.notify();
}

// Server ---------------------------------------------------------------------

const flush = ({ exchange }: Engine): Promise<void> => exchange.runExclusive(exchange.sendAll);

const publish = ({ exchange, options }: Engine): Promise<void> =>
  exchange.runExclusive(async () => {
    await exchange.overNewest(options.server.publish);
    await exchange.readBack();
  });

const discard = (engine: Engine): Promise<void> => {
  const { exchange, options, shared } = engine;
  return exchange.runExclusive(async () => {
    await exchange.overNewest(options.server.discard);
    const before = shared.copy?.mine ?? [];
    const undecided = shared.copy ? openConflicts(shared.copy) : [];
    await exchange.readBack();
    for (const id of undecided)
      if (shared.copy) shared.copy = resolved(shared.copy, id, 'theirs', options.newId);
    if (shared.copy) note(engine, 'Возврат к опубликованному', before, shared.copy.mine);
    shared.arrived = null;
    engine.notify();
  });
};

// Editing ---------------------------------------------------------------------

function note(
  engine: Engine,
  label: string,
  before: readonly Question[],
  after: readonly Question[],
  coalesce?: string,
): void {
  const at = engine.options.now();
  engine.history = remember(engine.history, before, after, { label, coalesce, at });
}

/** Typing is debounced; other edits are saved at once. */
function changed(engine: Engine, next: WorkingCopy, isTyping = false): void {
  const { shared, exchange, persistence } = engine;
  shared.copy = next;
  exchange.forgetRefusal();
  if (isTyping) persistence.saveSoon();
  else persistence.save().catch(() => undefined);
  if (isDirty(next)) exchange.sendSoon();
  engine.notify();
}

type Editing = Pick<DraftEditor, 'change' | 'resolve' | 'undo' | 'redo'>;

function createEditing(engine: Engine): Editing {
  const { shared } = engine;

  function step(result: HistoryStep | null): void {
    if (!result || !shared.copy) return;
    engine.history = result.history;
    if (result.skipped !== null) engine.notice = skippedMessage(result.skipped);
    changed(engine, keepLocalChange(shared.copy, result.questions));
  }

  return {
    change: (label, edit, options) => {
      if (!shared.copy) return;
      const before = shared.copy.mine;
      const next = keepLocalChange(shared.copy, edit(before));
      note(engine, label, before, next.mine, options?.coalesce);
      changed(engine, next, options?.coalesce !== undefined);
    },
    resolve: (questionId, choice) => {
      if (!shared.copy) return;
      const before = shared.copy.mine;
      const next = resolved(shared.copy, questionId, choice, engine.options.newId);
      note(engine, 'Выбор из двух правок', before, next.mine);
      changed(engine, next);
    },
    undo: () => shared.copy && step(undoStep(engine.history, shared.copy.mine)),
    redo: () => shared.copy && step(redoStep(engine.history, shared.copy.mine)),
  };
}

// View ------------------------------------------------------------------------

type Actions = Editing & Pick<DraftEditor, 'flush' | 'publish' | 'discard'>;

function viewOf(engine: Engine, current: WorkingCopy, actions: Actions): DraftEditor {
  const { exchange, history, notice, shared } = engine;
  const facts = exchange.facts();
  return {
    ...actions,
    testId: engine.options.testId,
    questions: current.mine,
    lifecycle: facts.lifecycle,
    hasUnpublished: facts.lifecycle !== 'draft' && (facts.hasUnpublished || isDirty(current)),
    state: stateOf(current, exchange.failure(), engine.persistence, facts.at),
    undoLabel: history.done.at(-1)?.label ?? null,
    redoLabel: history.undone.at(-1)?.label ?? null,
    conflicts: conflictsOf(current, exchange.lastEditedBy()),
    arrived: shared.arrived,
    dismissArrived: () => {
      shared.arrived = null;
      engine.notify();
    },
    notice,
    dismissNotice: () => {
      engine.notice = null;
      engine.notify();
    },
  };
}

/** The working copy of one test without UI: stores on the device, sends, merges, records undo steps. */
export function createDraftEngine(options: EngineOptions): DraftEngine {
  const { store } = options;
  const listeners = new Set<() => void>();
  const engine = createEngine(options, () => {
    for (const listener of listeners) listener();
  });
  const { exchange, persistence, shared } = engine;
  const save = () => persistence.save().catch(() => undefined);
  const actions: Actions = {
    ...createEditing(engine),
    flush: () => flush(engine),
    publish: () => publish(engine),
    discard: () => discard(engine),
  };

  return {
    load: () => load(engine),
    view: () => {
      if (!shared.copy) return null;
      engine.shown ??= viewOf(engine, shared.copy, actions);
      return engine.shown;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look: async () => {
      await adoptAll(engine);
      await exchange.look();
    },
    wake: exchange.wake,
    hide: save,
    flush: () => flush(engine),
    isAtRisk: () =>
      shared.copy !== null &&
      isLocal(shared.copy) &&
      exchange.failure()?.kind !== 'gone' &&
      !persistence.isHealthy(),
    settle: async () => {
      await flush(engine);
      await save();
    },
    hasUnsent: () => shared.copy !== null && isLocal(shared.copy),
    close: async () => {
      exchange.close();
      await save();
      await store.close();
    },
    abandon: async () => {
      exchange.close();
      shared.copy = null;
      // After what is being written.
      await save();
      await store.clear().catch(() => undefined);
      await store.close();
    },
  };
}
