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

/** Synchronisation of the working copy: serialization, retries, merges. `notify`: something changed. */
export function createExchange(of: {
  readonly shared: SharedDraft;
  readonly server: DraftServer;
  readonly persistence: DraftPersistence;
  readonly now: () => number;
  readonly timers: Timers;
  /** Random number from 0 to 1. */
  readonly random: () => number;
  readonly notify: () => void;
}): DraftExchange {
  const { shared, server, persistence, now, timers, random, notify } = of;
  let facts: Facts = { lifecycle: 'draft', hasUnpublished: false, at: 0 };
  let lastEditedBy: string | null = null;
  let failure: Failure | null = null;
  let failures = 0;
  /** The server's version is uncertain: refetch before the next save. */
  let isUnsure = false;
  let isClosed = false;
  let firstChangeAt: number | null = null;
  let sendTimer: unknown = null;
  let turn: Promise<unknown> = Promise.resolve();

  const hasUnsent = () => shared.copy !== null && isDirty(shared.copy);

  function runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work, work);
    turn = done.catch(() => undefined);
    return done;
  }

  function applyFacts(reply: Omit<DraftReply, 'testId' | 'questions'>): void {
    const { lifecycle, hasUnpublished } = reply;
    facts = { lifecycle, hasUnpublished, at: Date.parse(reply.updatedAt) };
  }

  async function read(): Promise<void> {
    const reply = await server.get();
    applyFacts(reply);
    if (!shared.copy) {
      shared.copy = freshCopy(reply.draftVersion, reply.questions);
    } else {
      const taken = takeServer(shared.copy, reply.draftVersion, reply.questions);
      shared.copy = taken.copy;
      const questionIds = taken.arrived;
      if (questionIds.length > 0) shared.arrived = { by: reply.updatedBy, questionIds };
      lastEditedBy = reply.updatedBy;
    }
    isUnsure = false;
    persistence.saveSoon();
    notify();
  }

  function fail(error: unknown): void {
    const outcome = outcomeOf(error);
    if (outcome === 'gone') failure = { error, kind: 'gone' };
    else if (outcome === 'refused') failure = { error, kind: 'refused' };
    else {
      failure = { error, kind: 'network' };
      failures += 1;
      if (outcome === 'unknown') isUnsure = true;
    }
    notify();
  }

  async function saveOnce(current: WorkingCopy): Promise<void> {
    const sending = sendingOf(current);
    shared.copy = withSent(current, sending);
    // Persisted first: after a kill the tab must recognise its own edits on the server.
    await persistence.save().catch(() => undefined);
    const reply = await server.save({ draftVersion: current.server.draftVersion, ...sending });
    shared.copy = stored(shared.copy, sending, reply.draftVersion);
    const hasUnpublished = facts.lifecycle !== 'draft';
    facts = { ...facts, hasUnpublished, at: Date.parse(reply.updatedAt) };
  }

  /** Sends the current edits once. Rethrows the failure. */
  async function send(): Promise<void> {
    timers.clear(sendTimer);
    sendTimer = null;
    firstChangeAt = null;
    try {
      for (let stale = 0; ; stale += 1) {
        if (isUnsure) await read();
        if (!shared.copy || !isDirty(shared.copy)) break;
        try {
          await saveOnce(shared.copy);
          break;
        } catch (error) {
          if (outcomeOf(error) !== 'stale' || stale >= MAX_STALE_RETRIES) throw error;
          isUnsure = true;
        }
      }
      failure = null;
      failures = 0;
    } catch (error) {
      fail(error);
      throw error;
    } finally {
      persistence.saveSoon();
      notify();
    }
  }

  async function sendAll(): Promise<void> {
    // After a close another person may be signed in: nothing is sent under that sign-in.
    while (!isClosed && (isUnsure || hasUnsent())) await send();
  }

  const trySending = () =>
    void runExclusive(async () => {
      if (isClosed || failure?.kind === 'gone') return;
      await send().catch(() => undefined);
      if (failure?.kind === 'network') sendIn(pauseMs(failures, random(), failure.error));
      else if (failure === null && hasUnsent() && sendTimer === null) sendSoon();
    });

  function sendIn(ms: number): void {
    if (isClosed) return;
    timers.clear(sendTimer);
    sendTimer = timers.set(trySending, ms);
  }

  function sendSoon(): void {
    if (failure?.kind === 'network' && sendTimer !== null) return;
    firstChangeAt ??= now();
    sendIn(Math.max(0, Math.min(DEBOUNCE_MS, firstChangeAt + MAX_TYPING_MS - now())));
  }

  async function look(): Promise<void> {
    await runExclusive(async () => {
      if (!shared.copy || isClosed || failure?.kind === 'gone') return;
      if (isUnsure || failure?.kind === 'network') return;
      try {
        const reply = await server.version();
        const isNewer = reply.draftVersion !== shared.copy.server.draftVersion;
        const isOther =
          reply.lifecycle !== facts.lifecycle || reply.hasUnpublished !== facts.hasUnpublished;
        if (isNewer) await read();
        else if (isOther) {
          applyFacts(reply);
          notify();
        }
      } catch (error) {
        // A failed check does not affect unsent edits, unless the test was deleted.
        if (outcomeOf(error) === 'gone') fail(error);
      }
    });
  }

  async function overNewest(act: (draftVersion: number) => Promise<unknown>): Promise<void> {
    for (let stale = 0; ; stale += 1) {
      await sendAll();
      if (!shared.copy) return;
      try {
        await act(shared.copy.server.draftVersion);
        return;
      } catch (error) {
        if (outcomeOf(error) !== 'stale' || stale >= MAX_STALE_RETRIES) throw error;
        isUnsure = true;
      }
    }
  }

  async function readBack(): Promise<void> {
    facts = { ...facts, hasUnpublished: false };
    try {
      await read();
    } catch {
      isUnsure = true;
      sendIn(0);
    }
    notify();
  }

  return {
    runExclusive,
    read,
    sendAll,
    overNewest,
    readBack,
    look,
    sendSoon,
    readLater: (error) => {
      isUnsure = true;
      fail(error);
      sendIn(pauseMs(failures, random(), error));
    },
    wake: () => {
      if (isUnsure || hasUnsent()) {
        failures = 0;
        sendIn(0);
      }
    },
    markUnsure: () => {
      isUnsure = true;
    },
    forgetRefusal: () => {
      if (failure?.kind === 'refused') failure = null;
    },
    failure: () => failure,
    facts: () => facts,
    lastEditedBy: () => lastEditedBy,
    close: () => {
      isClosed = true;
      timers.clear(sendTimer);
    },
  };
}
