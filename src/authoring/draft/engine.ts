import type { Draft as DraftReply } from '#contract/drafts.ts';
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
  sendingOf,
  stored,
  takeServer,
  withMine,
  withSent,
  type Copy,
} from './copy.ts';
import type { Draft } from './draft.ts';
import { NO_HISTORY, redoStep, remember, undoStep, type History, type Stepped } from './history.ts';
import { createKeeping } from './keeping.ts';
import type { Sent } from './merge.ts';
import { byId, sameList } from './same.ts';
import { outcomeOf, pauseMs } from './sending.ts';
import { stateOf, type Failure } from './state.ts';

/** The calls of contract/drafts.ts for one test. All throw `ApiFailure`. */
export interface DraftServer {
  get(): Promise<DraftReply>;
  version(): Promise<Omit<DraftReply, 'testId' | 'questions'>>;
  save(body: Sent & { draftVersion: number }): Promise<{ draftVersion: number; updatedAt: string }>;
  publish(draftVersion: number): Promise<unknown>;
  discard(draftVersion: number): Promise<unknown>;
}

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

/** A pause in typing after which it is sent, and how long typing without one may go on. */
const QUIET_MS = 1_000;
const TYPING_MOST_MS = 5_000;
/** Tries in a row that somebody else was faster in before a pause is made. */
const STALE_MOST = 5;

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

interface Facts extends Pick<DraftReply, 'lifecycle' | 'hasUnpublished'> {
  /** When the server stored it last, milliseconds. */
  readonly at: number;
}

/** The working copy of one test without a screen: keeps on the device, sends, merges, remembers steps. */
export function createDraftEngine(surroundings: EngineSurroundings): DraftEngine {
  const { testId, server, keeper, now, timers, newId, random } = surroundings;
  const listeners = new Set<() => void>();
  let copy: Copy | null = null;
  let history: History = NO_HISTORY;
  let facts: Facts = { lifecycle: 'draft', hasUnpublished: false, at: 0 };
  let arrived: Draft['arrived'] = null;
  let notice: string | null = null;
  /** Who had changed it last when it was read last. */
  let foreignBy: string | null = null;
  let failure: Failure | null = null;
  let failures = 0;
  /** What the server has is not known for sure: it is read before the next sending. */
  let isUnsure = false;
  let isClosed = false;
  let firstChangeAt: number | null = null;
  let sendTimer: unknown = null;
  /** Exchanges with the server take turns. */
  let turn: Promise<unknown> = Promise.resolve();
  let shown: Draft | null = null;

  const tell = () => {
    shown = null;
    for (const listener of listeners) listener();
  };
  const waits = () => copy !== null && isDirty(copy);
  const keeping = createKeeping({ keeper, now, timers, current: () => copy, onChange: tell });

  /** Lays what a dead tab had kept over the copy, and keeps the whole before the other row goes. */
  async function adopt(row: KeptDraft): Promise<void> {
    const before = copy;
    if (before) {
      const next = adoptKept(before, row, newId);
      if (!sameList(next.mine, before.mine)) copy = next;
    } else {
      const { draftVersion, questions } = row.base;
      copy = { ...freshCopy(draftVersion, questions), mine: row.mine, sent: row.sent };
      isUnsure = true;
    }
    if (copy !== before) {
      notice = RESTORED;
      sendSoon();
      tell();
    }
    await keeping.keep();
  }

  // Server ---------------------------------------------------------------------

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  function heard(reply: Omit<DraftReply, 'testId' | 'questions'>): void {
    const { lifecycle, hasUnpublished } = reply;
    facts = { lifecycle, hasUnpublished, at: Date.parse(reply.updatedAt) };
  }

  /** Reads what the server has and merges it in. */
  async function read(): Promise<void> {
    const reply = await server.get();
    heard(reply);
    if (!copy) {
      copy = freshCopy(reply.draftVersion, reply.questions);
    } else {
      const taken = takeServer(copy, reply.draftVersion, reply.questions);
      copy = taken.copy;
      const there = byId(copy.mine);
      const questionIds = taken.arrived.filter((id) => there.has(id));
      if (questionIds.length > 0) arrived = { by: reply.updatedBy, questionIds };
      foreignBy = reply.updatedBy;
    }
    isUnsure = false;
    keeping.soon();
    tell();
  }

  function fail(error: unknown): void {
    const outcome = outcomeOf(error);
    if (outcome === 'gone') failure = { error, kind: 'gone' };
    else if (outcome === 'refused') failure = { error, kind: 'refused' };
    else {
      failure = { error, kind: 'way' };
      failures += 1;
      if (outcome === 'unknown') isUnsure = true;
    }
    tell();
  }

  async function saveOnce(current: Copy): Promise<void> {
    const sending = sendingOf(current);
    copy = withSent(current, sending);
    // Written first: a tab killed now must know its own words when it meets them on the server.
    await keeping.keep().catch(() => undefined);
    const reply = await server.save({ draftVersion: current.server.draftVersion, ...sending });
    copy = stored(copy, sending, reply.draftVersion);
    const hasUnpublished = facts.lifecycle !== 'draft';
    facts = { ...facts, hasUnpublished, at: Date.parse(reply.updatedAt) };
  }

  /** Sends what waits at this moment. Throws what stood in the way. */
  async function send(): Promise<void> {
    timers.clear(sendTimer);
    sendTimer = null;
    firstChangeAt = null;
    try {
      for (let stale = 0; ; stale += 1) {
        if (isUnsure) await read();
        if (!copy || !isDirty(copy)) break;
        try {
          await saveOnce(copy);
          break;
        } catch (error) {
          if (outcomeOf(error) !== 'stale' || stale >= STALE_MOST) throw error;
          isUnsure = true;
        }
      }
      failure = null;
      failures = 0;
    } catch (error) {
      fail(error);
      throw error;
    } finally {
      keeping.soon();
      tell();
    }
  }

  /** Sends until nothing waits. */
  async function sendAll(): Promise<void> {
    while (isUnsure || waits()) await send();
  }

  const trySending = () =>
    void inTurn(async () => {
      if (isClosed || failure?.kind === 'gone') return;
      await send().catch(() => undefined);
      if (failure?.kind === 'way') sendIn(pauseMs(failures, random(), failure.error));
      else if (failure === null && waits() && sendTimer === null) sendSoon();
    });

  function sendIn(ms: number): void {
    if (isClosed) return;
    timers.clear(sendTimer);
    sendTimer = timers.set(trySending, ms);
  }

  /** After a pause in typing, and now and then while there is none; a back-off is not cut short. */
  function sendSoon(): void {
    if (failure?.kind === 'way' && sendTimer !== null) return;
    firstChangeAt ??= now();
    sendIn(Math.max(0, Math.min(QUIET_MS, firstChangeAt + TYPING_MOST_MS - now())));
  }

  async function look(): Promise<void> {
    await keeper.adopt(adopt).catch(() => undefined);
    await inTurn(async () => {
      if (!copy || isClosed || failure?.kind === 'gone') return;
      if (isUnsure || failure?.kind === 'way') return;
      try {
        const reply = await server.version();
        const isNewer = reply.draftVersion !== copy.server.draftVersion;
        const isOther =
          reply.lifecycle !== facts.lifecycle || reply.hasUnpublished !== facts.hasUnpublished;
        if (isNewer) await read();
        else if (isOther) {
          heard(reply);
          tell();
        }
      } catch (error) {
        // A glance that failed is no trouble of what was typed, unless the test is gone.
        if (outcomeOf(error) === 'gone') fail(error);
      }
    });
  }

  /** Acts on the newest version once everything is there; again where somebody was first. */
  async function overNewest(act: (draftVersion: number) => Promise<unknown>): Promise<void> {
    for (let stale = 0; ; stale += 1) {
      await sendAll();
      if (!copy) return;
      try {
        await act(copy.server.draftVersion);
        return;
      } catch (error) {
        if (outcomeOf(error) !== 'stale' || stale >= STALE_MOST) throw error;
        isUnsure = true;
      }
    }
  }

  /** It is done, whether or not it can be read back now. */
  async function readBack(): Promise<void> {
    facts = { ...facts, hasUnpublished: false };
    try {
      await read();
    } catch {
      isUnsure = true;
      sendIn(0);
    }
    tell();
  }

  const flush = () => inTurn(sendAll);

  const publish = () =>
    inTurn(async () => {
      await overNewest(server.publish);
      await readBack();
    });

  const discard = () =>
    inTurn(async () => {
      await overNewest(server.discard);
      const before = copy?.mine ?? [];
      const undecided = copy ? openConflicts(copy) : [];
      await readBack();
      for (const id of undecided) if (copy) copy = resolved(copy, id, 'theirs', newId);
      if (copy) note('Возврат к опубликованному', before, copy.mine);
      arrived = null;
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
    copy = next;
    if (failure?.kind === 'refused') failure = null;
    if (isTyping) keeping.soon();
    else keeping.keep().catch(() => undefined);
    if (isDirty(next)) sendSoon();
    tell();
  }

  const change: Draft['change'] = (label, edit, options) => {
    if (!copy) return;
    const before = copy.mine;
    const next = withMine(copy, edit(before));
    note(label, before, next.mine, options?.coalesce);
    changed(next, options?.coalesce !== undefined);
  };

  function step(taken: Stepped | null): void {
    if (!taken || !copy) return;
    history = taken.history;
    notice = taken.skipped === null ? notice : skippedWords(taken.skipped);
    changed(withMine(copy, taken.questions));
  }

  const resolve: Draft['resolve'] = (questionId, choice) => {
    if (!copy) return;
    const before = copy.mine;
    const next = resolved(copy, questionId, choice, newId);
    note('Выбор из двух правок', before, next.mine);
    changed(next);
  };

  // View ------------------------------------------------------------------------

  function viewOf(current: Copy): Draft {
    const [here, there] = [byId(current.mine), byId(current.server.questions)];
    return {
      testId,
      questions: current.mine,
      lifecycle: facts.lifecycle,
      hasUnpublished: facts.lifecycle !== 'draft' && (facts.hasUnpublished || isDirty(current)),
      state: stateOf(current, failure, keeping, facts.at),
      change,
      undoLabel: history.done.at(-1)?.label ?? null,
      redoLabel: history.undone.at(-1)?.label ?? null,
      undo: () => copy && step(undoStep(history, copy.mine)),
      redo: () => copy && step(redoStep(history, copy.mine)),
      conflicts: openConflicts(current).map((questionId) => ({
        questionId,
        mine: here.get(questionId) ?? null,
        theirs: there.get(questionId) ?? null,
        by: foreignBy,
      })),
      resolve,
      arrived,
      dismissArrived: () => {
        arrived = null;
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
      // What is on this device is shown whether or not it can be written anew.
      const adoptAll = () => keeper.adopt(adopt).catch(() => undefined);
      try {
        await inTurn(read);
        await adoptAll();
      } catch (error) {
        await adoptAll();
        if (!copy) throw error;
        isUnsure = true;
        fail(error);
        sendIn(pauseMs(failures, random(), error));
      }
      tell();
    },
    view: () => {
      if (!copy) return null;
      shown ??= viewOf(copy);
      return shown;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look,
    wake: () => {
      if (isUnsure || waits()) {
        failures = 0;
        sendIn(0);
      }
    },
    hide: async () => {
      if (copy && isOwn(copy)) await keeping.keep().catch(() => undefined);
    },
    flush,
    isAtRisk: () => copy !== null && isOwn(copy) && failure?.kind !== 'gone' && !keeping.isWell(),
    close: async () => {
      isClosed = true;
      timers.clear(sendTimer);
      await keeping.keep().catch(() => undefined);
      keeper.close();
    },
  };
}
