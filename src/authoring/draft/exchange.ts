import type { Draft as DraftReply } from '#contract/drafts.ts';
import type { Timers } from '#app/outbox/surroundings.ts';
import { freshCopy, isDirty, sendingOf, stored, takeServer, withSent, type Copy } from './copy.ts';
import type { Draft } from './draft.ts';
import type { Keeping } from './keeping.ts';
import type { Sent } from './merge.ts';
import { byId } from './same.ts';
import { outcomeOf, pauseMs } from './sending.ts';
import type { Failure } from './state.ts';

/** The calls of contract/drafts.ts for one test. All throw `ApiFailure`. */
export interface DraftServer {
  get(): Promise<DraftReply>;
  version(): Promise<Omit<DraftReply, 'testId' | 'questions'>>;
  save(body: Sent & { draftVersion: number }): Promise<{ draftVersion: number; updatedAt: string }>;
  publish(draftVersion: number): Promise<unknown>;
  discard(draftVersion: number): Promise<unknown>;
}

/** A pause in typing after which it is sent, and how long typing without one may go on. */
const QUIET_MS = 1_000;
const TYPING_MOST_MS = 5_000;
/** Tries in a row that somebody else was faster in before a pause is made. */
const STALE_MOST = 5;

/** What the server said of the test last. */
interface Facts extends Pick<DraftReply, 'lifecycle' | 'hasUnpublished'> {
  /** When the server stored it last, milliseconds. */
  readonly at: number;
}

/** What typing and the exchange with the server both change. */
export interface Held {
  copy: Copy | null;
  /** What came from elsewhere and nobody has waved away yet. */
  arrived: Draft['arrived'];
}

/** Reads, merges and sends the held copy. */
export interface Exchange {
  /** Works of the exchange take turns; a failed one stops none. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Reads what the server has and merges it in. Throws `ApiFailure`. Only in a turn. */
  read(): Promise<void>;
  /** Sends until nothing waits. Throws `ApiFailure`. Only in a turn. */
  sendAll(): Promise<void>;
  /** Acts on the newest version once everything is there; again where somebody was first. Only in a turn. */
  overNewest(act: (draftVersion: number) => Promise<unknown>): Promise<void>;
  /** Reads what an act has made; it is done, whether or not it can be read now. Only in a turn. */
  readBack(): Promise<void>;
  /** Asks whether somebody changed it elsewhere. */
  look(): Promise<void>;
  /** After a pause in typing, and now and then while there is none; a back-off is not cut short. */
  sendSoon(): void;
  /** The first reading failed: what is on the device is shown, and it is tried again by itself. */
  readLater(error: unknown): void;
  /** The network is back: what waits is sent now. */
  wake(): void;
  /** The copy did not come from the server: that is read before the next sending. */
  doubt(): void;
  /** What the server refused was changed since. */
  forgetRefusal(): void;
  failure(): Failure | null;
  facts(): Facts;
  /** Who had changed it last when it was read last. */
  foreignBy(): string | null;
  /** Nothing is sent by itself any more. */
  close(): void;
}

/** The way of the held copy to the server and back: turns, tries again, merges. `tell`: something changed. */
export function createExchange(of: {
  readonly held: Held;
  readonly server: DraftServer;
  readonly keeping: Keeping;
  readonly now: () => number;
  readonly timers: Timers;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly tell: () => void;
}): Exchange {
  const { held, server, keeping, now, timers, random, tell } = of;
  let facts: Facts = { lifecycle: 'draft', hasUnpublished: false, at: 0 };
  let foreignBy: string | null = null;
  let failure: Failure | null = null;
  let failures = 0;
  /** What the server has is not known for sure: it is read before the next sending. */
  let isUnsure = false;
  let isClosed = false;
  let firstChangeAt: number | null = null;
  let sendTimer: unknown = null;
  let turn: Promise<unknown> = Promise.resolve();

  const waits = () => held.copy !== null && isDirty(held.copy);

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  function heard(reply: Omit<DraftReply, 'testId' | 'questions'>): void {
    const { lifecycle, hasUnpublished } = reply;
    facts = { lifecycle, hasUnpublished, at: Date.parse(reply.updatedAt) };
  }

  async function read(): Promise<void> {
    const reply = await server.get();
    heard(reply);
    if (!held.copy) {
      held.copy = freshCopy(reply.draftVersion, reply.questions);
    } else {
      const taken = takeServer(held.copy, reply.draftVersion, reply.questions);
      held.copy = taken.copy;
      const there = byId(held.copy.mine);
      const questionIds = taken.arrived.filter((id) => there.has(id));
      if (questionIds.length > 0) held.arrived = { by: reply.updatedBy, questionIds };
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
    held.copy = withSent(current, sending);
    // Written first: a tab killed now must know its own words when it meets them on the server.
    await keeping.keep().catch(() => undefined);
    const reply = await server.save({ draftVersion: current.server.draftVersion, ...sending });
    held.copy = stored(held.copy, sending, reply.draftVersion);
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
        if (!held.copy || !isDirty(held.copy)) break;
        try {
          await saveOnce(held.copy);
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

  function sendSoon(): void {
    if (failure?.kind === 'way' && sendTimer !== null) return;
    firstChangeAt ??= now();
    sendIn(Math.max(0, Math.min(QUIET_MS, firstChangeAt + TYPING_MOST_MS - now())));
  }

  async function look(): Promise<void> {
    await inTurn(async () => {
      if (!held.copy || isClosed || failure?.kind === 'gone') return;
      if (isUnsure || failure?.kind === 'way') return;
      try {
        const reply = await server.version();
        const isNewer = reply.draftVersion !== held.copy.server.draftVersion;
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

  async function overNewest(act: (draftVersion: number) => Promise<unknown>): Promise<void> {
    for (let stale = 0; ; stale += 1) {
      await sendAll();
      if (!held.copy) return;
      try {
        await act(held.copy.server.draftVersion);
        return;
      } catch (error) {
        if (outcomeOf(error) !== 'stale' || stale >= STALE_MOST) throw error;
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
    tell();
  }

  return {
    inTurn,
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
      if (isUnsure || waits()) {
        failures = 0;
        sendIn(0);
      }
    },
    doubt: () => {
      isUnsure = true;
    },
    forgetRefusal: () => {
      if (failure?.kind === 'refused') failure = null;
    },
    failure: () => failure,
    facts: () => facts,
    foreignBy: () => foreignBy,
    close: () => {
      isClosed = true;
      timers.clear(sendTimer);
    },
  };
}
