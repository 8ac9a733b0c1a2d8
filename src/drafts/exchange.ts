import type { TestDraft as DraftReply } from '#contract/drafts.ts';
import type { Timers } from '#app/api/timers.ts';
import {
  freshCopy,
  isDirty,
  sendingOf,
  stored,
  takeServer,
  withSent,
  type WorkingCopy,
} from './copy.ts';
import type { DraftEditor } from './draft.ts';
import type { DraftPersistence } from './persistence.ts';
import type { SentCopy } from './merge.ts';
import { outcomeOf, pauseMs } from './sending.ts';
import type { Failure } from './state.ts';

/** The calls of contract/drafts.ts for one test. All throw `ApiFailure`. */
export interface DraftServer {
  get(): Promise<DraftReply>;
  version(): Promise<Omit<DraftReply, 'testId' | 'questions'>>;
  save(
    body: SentCopy & { draftVersion: number },
  ): Promise<{ draftVersion: number; updatedAt: string }>;
  publish(draftVersion: number): Promise<unknown>;
  discard(draftVersion: number): Promise<unknown>;
}

/** Typing is sent after this pause, and at the latest after the second time. */
const DEBOUNCE_MS = 1_000;
const MAX_TYPING_MS = 5_000;
/** Consecutive version conflicts before backing off. */
const MAX_STALE_RETRIES = 5;

/** Facts of the test from the last reply. */
interface Facts extends Pick<DraftReply, 'lifecycle' | 'hasUnpublished'> {
  /** When the server last stored it, milliseconds. */
  readonly at: number;
}

/** State that both editing and the exchange change. */
export interface SharedDraft {
  copy: WorkingCopy | null;
  /** Changes that arrived from elsewhere and were not dismissed yet. */
  arrived: DraftEditor['arrived'];
}

/** Synchronises the working copy with the server. */
export interface DraftExchange {
  /** Serializes work; a failure does not block later work. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Fetches and merges the server's copy. Throws `ApiFailure`. Only within `runExclusive`. */
  read(): Promise<void>;
  /** Sends until nothing is unsent. Throws `ApiFailure`. Only within `runExclusive`. */
  sendAll(): Promise<void>;
  /** Acts on the newest version once all edits are sent; retries on a version conflict. Only within `runExclusive`. */
  overNewest(act: (draftVersion: number) => Promise<unknown>): Promise<void>;
  /** Refetches after an act, which has succeeded even if the refetch fails. Only within `runExclusive`. */
  readBack(): Promise<void>;
  /** Checks for changes made elsewhere. */
  look(): Promise<void>;
  /** Schedules sending after a pause in typing, at the latest every `MAX_TYPING_MS`; does not shorten a back-off. */
  sendSoon(): void;
  /** The first fetch failed: the local copy is shown and the fetch is retried. */
  readLater(error: unknown): void;
  /** The network is back: sends unsent edits now. */
  wake(): void;
  /** The copy is not from the server: refetch before the next save. */
  markUnsure(): void;
  /** The refused content was changed since. */
  forgetRefusal(): void;
  failure(): Failure | null;
  facts(): Facts;
  /** Author of the server's version at the last fetch. */
  lastEditedBy(): string | null;
  /** Stops automatic sending. */
  close(): void;
}

interface ExchangeOptions {
  readonly shared: SharedDraft;
  readonly server: DraftServer;
  readonly persistence: DraftPersistence;
  readonly now: () => number;
  readonly timers: Timers;
  /** Random number from 0 to 1. */
  readonly random: () => number;
  /** Something changed. */
  readonly notify: () => void;
}

interface ExchangeState extends ExchangeOptions {
  facts: Facts;
  lastEditedBy: string | null;
  failure: Failure | null;
  failures: number;
  /** The server's version is uncertain: refetch before the next save. */
  isUnsure: boolean;
  isClosed: boolean;
  firstChangeAt: number | null;
  sendTimer: unknown;
  /** The last of the serialized work. */
  turn: Promise<unknown>;
}

const hasUnsent = (state: ExchangeState): boolean =>
  state.shared.copy !== null && isDirty(state.shared.copy);

function runExclusive<T>(state: ExchangeState, work: () => Promise<T>): Promise<T> {
  const done = state.turn.then(work, work);
  state.turn = done.catch(() => undefined);
  return done;
}

function applyFacts(state: ExchangeState, reply: Omit<DraftReply, 'testId' | 'questions'>): void {
  const { lifecycle, hasUnpublished } = reply;
  state.facts = { lifecycle, hasUnpublished, at: Date.parse(reply.updatedAt) };
}

async function read(state: ExchangeState): Promise<void> {
  const reply = await state.server.get();
  applyFacts(state, reply);
  if (!state.shared.copy) {
    state.shared.copy = freshCopy(reply.draftVersion, reply.questions);
  } else {
    const merged = takeServer(state.shared.copy, reply.draftVersion, reply.questions);
    state.shared.copy = merged.copy;
    const questionIds = merged.arrived;
    if (questionIds.length > 0) state.shared.arrived = { by: reply.updatedBy, questionIds };
    state.lastEditedBy = reply.updatedBy;
  }
  state.isUnsure = false;
  state.persistence.saveSoon();
  state.notify();
}

function fail(state: ExchangeState, error: unknown): void {
  const outcome = outcomeOf(error);
  if (outcome === 'gone') state.failure = { error, kind: 'gone' };
  else if (outcome === 'refused') state.failure = { error, kind: 'refused' };
  else {
    state.failure = { error, kind: 'network' };
    state.failures += 1;
    if (outcome === 'unknown') state.isUnsure = true;
  }
  state.notify();
}

async function saveOnce(state: ExchangeState, current: WorkingCopy): Promise<void> {
  const sending = sendingOf(current);
  state.shared.copy = withSent(current, sending);
  // Persisted first: after a kill the tab must recognise its own edits on the server.
  await state.persistence.save().catch(() => undefined);
  const reply = await state.server.save({ draftVersion: current.server.draftVersion, ...sending });
  state.shared.copy = stored(state.shared.copy, sending, reply.draftVersion);
  const hasUnpublished = state.facts.lifecycle !== 'draft';
  state.facts = { ...state.facts, hasUnpublished, at: Date.parse(reply.updatedAt) };
}

/** Sends the current edits once. Rethrows the failure. */
async function send(state: ExchangeState): Promise<void> {
  state.timers.clear(state.sendTimer);
  state.sendTimer = null;
  state.firstChangeAt = null;
  try {
    for (let stale = 0; ; stale += 1) {
      if (state.isUnsure) await read(state);
      if (!state.shared.copy || !isDirty(state.shared.copy)) break;
      try {
        await saveOnce(state, state.shared.copy);
        break;
      } catch (error) {
        if (outcomeOf(error) !== 'stale' || stale >= MAX_STALE_RETRIES) throw error;
        state.isUnsure = true;
      }
    }
    state.failure = null;
    state.failures = 0;
  } catch (error) {
    fail(state, error);
    throw error;
  } finally {
    state.persistence.saveSoon();
    state.notify();
  }
}

async function sendAll(state: ExchangeState): Promise<void> {
  // After a close another person may be signed in: nothing is sent under that sign-in.
  while (!state.isClosed && (state.isUnsure || hasUnsent(state))) await send(state);
}

const trySending = (state: ExchangeState) =>
  void runExclusive(state, async () => {
    if (state.isClosed || state.failure?.kind === 'gone') return;
    await send(state).catch(() => undefined);
    if (state.failure?.kind === 'network')
      sendIn(state, pauseMs(state.failures, state.random(), state.failure.error));
    else if (state.failure === null && hasUnsent(state) && state.sendTimer === null)
      sendSoon(state);
  });

function sendIn(state: ExchangeState, ms: number): void {
  if (state.isClosed) return;
  state.timers.clear(state.sendTimer);
  state.sendTimer = state.timers.set(() => trySending(state), ms);
}

function sendSoon(state: ExchangeState): void {
  if (state.failure?.kind === 'network' && state.sendTimer !== null) return;
  state.firstChangeAt ??= state.now();
  sendIn(
    state,
    Math.max(0, Math.min(DEBOUNCE_MS, state.firstChangeAt + MAX_TYPING_MS - state.now())),
  );
}

async function look(state: ExchangeState): Promise<void> {
  await runExclusive(state, async () => {
    if (!state.shared.copy || state.isClosed || state.failure?.kind === 'gone') return;
    if (state.isUnsure || state.failure?.kind === 'network') return;
    try {
      const reply = await state.server.version();
      const isNewer = reply.draftVersion !== state.shared.copy.server.draftVersion;
      const isOther =
        reply.lifecycle !== state.facts.lifecycle ||
        reply.hasUnpublished !== state.facts.hasUnpublished;
      if (isNewer) await read(state);
      else if (isOther) {
        applyFacts(state, reply);
        state.notify();
      }
    } catch (error) {
      // A failed check does not affect unsent edits, unless the test was deleted.
      if (outcomeOf(error) === 'gone') fail(state, error);
    }
  });
}

async function overNewest(
  state: ExchangeState,
  act: (draftVersion: number) => Promise<unknown>,
): Promise<void> {
  for (let stale = 0; ; stale += 1) {
    await sendAll(state);
    if (!state.shared.copy) return;
    try {
      await act(state.shared.copy.server.draftVersion);
      return;
    } catch (error) {
      if (outcomeOf(error) !== 'stale' || stale >= MAX_STALE_RETRIES) throw error;
      state.isUnsure = true;
    }
  }
}

async function readBack(state: ExchangeState): Promise<void> {
  state.facts = { ...state.facts, hasUnpublished: false };
  try {
    await read(state);
  } catch {
    state.isUnsure = true;
    sendIn(state, 0);
  }
  state.notify();
}

/** Synchronisation of the working copy: serialization, retries, merges. */
export function createExchange(options: ExchangeOptions): DraftExchange {
  const state: ExchangeState = {
    ...options,
    facts: { lifecycle: 'draft', hasUnpublished: false, at: 0 },
    lastEditedBy: null,
    failure: null,
    failures: 0,
    isUnsure: false,
    isClosed: false,
    firstChangeAt: null,
    sendTimer: null,
    turn: Promise.resolve(),
  };

  return {
    runExclusive: (work) => runExclusive(state, work),
    read: () => read(state),
    sendAll: () => sendAll(state),
    overNewest: (act) => overNewest(state, act),
    readBack: () => readBack(state),
    look: () => look(state),
    sendSoon: () => sendSoon(state),
    readLater: (error) => {
      state.isUnsure = true;
      fail(state, error);
      sendIn(state, pauseMs(state.failures, state.random(), error));
    },
    wake: () => {
      if (state.isUnsure || hasUnsent(state)) {
        state.failures = 0;
        sendIn(state, 0);
      }
    },
    markUnsure: () => {
      state.isUnsure = true;
    },
    forgetRefusal: () => {
      if (state.failure?.kind === 'refused') state.failure = null;
    },
    failure: () => state.failure,
    facts: () => state.facts,
    lastEditedBy: () => state.lastEditedBy,
    close: () => {
      state.isClosed = true;
      state.timers.clear(state.sendTimer);
    },
  };
}
