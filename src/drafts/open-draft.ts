import {
  discardDraft,
  getDraft,
  getDraftVersion,
  publishDraft,
  saveDraft,
} from '#contract/drafts.ts';
import { call } from '#app/api/call.ts';
import { openLocalStorage } from '#app/lib/local-storage.ts';
import { newId } from '#app/lib/new-id.ts';
import { registerOpenDraft } from '#app/lib/open-drafts.ts';
import { readSession } from '#app/lib/session/stored-session.ts';
import { browserTimers } from '#app/api/timers.ts';
import { pageVisits } from '#app/offline/signals.ts';
import { openDraftStore } from '#app/storage/draft-store.ts';
import { readMirror } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';
import { followAbandoned } from './abandoned.ts';
import type { DraftEditor } from './draft.ts';
import { createDraftEngine, type DraftEngine } from './engine.ts';
import type { DraftServer } from './exchange.ts';
import { pauseMs } from './sending.ts';

/** A working copy on the page: loading, loaded or failed. */
export interface OpenDraft {
  readonly testId: string;
  current(): { readonly draft: DraftEditor | null; readonly problem: unknown };
  subscribe(listener: () => void): () => void;
  retry(): void;
  /** Checks for changes made elsewhere. */
  look(): void;
  /** Registers a screen that uses it. Returns the release function. */
  use(): () => void;
  isAtRisk(): boolean;
  /** Sends what is not on the server, rows of closed tabs included. Throws `ApiFailure`. */
  send(): Promise<void>;
  hasUnsent(): boolean;
  /** Stores what is not on the server and releases the row. */
  close(): Promise<void>;
  /** Deletes what is not on the server. */
  abandon(): Promise<void>;
}

/** Undo steps survive switching between the edit modes. */
const LINGER_MS = 1_000;
const LOOK_EVERY_MS = 20_000;
/** Bulk additions, such as an imported file, may be megabytes on a slow line. */
const MANY = 20;
const MANY_TIMEOUT_MS = 30_000;

const serverOf = (id: string): DraftServer => {
  const params = { id };
  return {
    get: () => call(getDraft, { params }),
    version: () => call(getDraftVersion, { params }),
    save: ({ draftVersion, order, changed }) =>
      call(
        saveDraft,
        { params, body: { draftVersion, order: [...order], changed: [...changed] } },
        changed.length > MANY ? { timeoutMs: MANY_TIMEOUT_MS } : {},
      ),
    publish: (draftVersion) => call(publishDraft, { params, body: { draftVersion } }),
    discard: (draftVersion) => call(discardDraft, { params, body: { draftVersion } }),
  };
};

const isSignedIn = (owner: string): boolean =>
  readSession(openLocalStorage())?.user.userId === owner;

async function openEngine(testId: string, storage: Storage): Promise<DraftEngine> {
  const session = await readMirror(storage).catch(() => null);
  const owner = session?.owner ?? '';
  const { locks } = navigator as Partial<Navigator>;
  const store = await openDraftStore(
    {
      factory: session ? window.indexedDB : undefined,
      locks,
      page: pageVisits,
      isSignedIn: () => isSignedIn(owner),
      readKey: async () =>
        (await storage.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner)))?.key ?? null,
    },
    { userId: owner, testId, tabId: newId() },
  );
  return createDraftEngine({
    testId,
    server: serverOf(testId),
    store,
    now: () => Date.now(),
    timers: browserTimers,
    newId,
    random: Math.random,
  });
}

/** Listens to page events that call for a check, a retry or a save. */
function watchPage(engine: DraftEngine): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const back = () => {
    if (document.visibilityState === 'hidden') void engine.hide();
    else {
      engine.wake();
      void engine.look();
    }
  };
  document.addEventListener('visibilitychange', back, { signal });
  window.addEventListener('focus', back, { signal });
  window.addEventListener('pageshow', back, { signal });
  window.addEventListener('online', () => engine.wake(), { signal });
  const lookTimer = setInterval(() => {
    if (document.visibilityState === 'visible') void engine.look();
  }, LOOK_EVERY_MS);
  return () => {
    ended.abort();
    clearInterval(lookTimer);
  };
}

interface DraftLoader {
  /** Null: not loaded yet. */
  engine(): DraftEngine | null;
  shown(): ReturnType<OpenDraft['current']>;
  /** One load at a time: a second one would end before the rows of closed tabs are restored. */
  load(): Promise<void>;
  /** No more retries. */
  cancel(): void;
  /** Stops following the page. */
  stop(): void;
}

/** Loads a working copy; retries a failed load while a screen uses it. */
function createLoader(
  opening: Promise<DraftEngine>,
  { isUsed, onChange }: { isUsed: () => boolean; onChange: () => void },
): DraftLoader {
  let engine: DraftEngine | null = null;
  let shown: ReturnType<OpenDraft['current']> = { draft: null, problem: null };
  let failures = 0;
  let stop = () => undefined as void;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let loading: Promise<void> | null = null;

  const show = (problem: unknown) => {
    shown = { draft: engine?.view() ?? null, problem };
    onChange();
  };

  async function loadOnce(): Promise<void> {
    clearTimeout(retryTimer);
    const opened = await opening;
    try {
      await opened.load();
      if (engine) return;
      engine = opened;
      const unsubscribe = opened.subscribe(() => show(null));
      const stopListening = watchPage(opened);
      stop = () => {
        unsubscribe();
        stopListening();
      };
      show(null);
    } catch (error) {
      failures += 1;
      show(error);
      if (isUsed())
        retryTimer = setTimeout(() => void load(), pauseMs(failures, Math.random(), error));
    }
  }

  function load(): Promise<void> {
    loading ??= loadOnce().finally(() => (loading = null));
    return loading;
  }

  return {
    engine: () => engine,
    shown: () => shown,
    load,
    cancel: () => clearTimeout(retryTimer),
    stop: () => stop(),
  };
}

function openDraft(testId: string, storage: Storage, onEnd: () => void): OpenDraft {
  const listeners = new Set<() => void>();
  const opening = openEngine(testId, storage);
  let users = 0;
  let ending: Promise<void> | undefined;
  const loader = createLoader(opening, {
    isUsed: () => users > 0,
    onChange: () => {
      for (const listener of listeners) listener();
    },
  });

  /** Runs once: both a page change and the end of the session may request it. */
  function end(finish: (opened: DraftEngine) => Promise<void>): Promise<void> {
    ending ??= (async () => {
      onEnd();
      loader.cancel();
      const opened = await opening;
      await finish(opened);
      loader.stop();
      unregister();
    })();
    return ending;
  }

  const close = () => end((opened) => opened.close());

  /** If the session ends meanwhile, the server is not waited for. */
  async function leave(): Promise<void> {
    onEnd();
    const opened = await opening;
    // Unsent edits are stored on the device.
    await opened.flush().catch(() => undefined);
    await close();
  }

  const unregister = registerOpenDraft(close);
  void loader.load();
  return {
    testId,
    current: loader.shown,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retry: () => void loader.load(),
    look: () => void loader.engine()?.look(),
    use: () => {
      users += 1;
      return () => {
        users -= 1;
        setTimeout(() => {
          if (users === 0) void leave();
        }, LINGER_MS);
      };
    },
    isAtRisk: () => loader.engine()?.isAtRisk() ?? false,
    send: async () => {
      if (!loader.engine()) await loader.load();
      const engine = loader.engine();
      if (!engine) throw loader.shown().problem;
      await engine.settle();
    },
    hasUnsent: () => loader.engine()?.hasUnsent() ?? false,
    close,
    abandon: () => end((opened) => opened.abandon()),
  };
}

const opened = new Map<string, OpenDraft>();
let isFollowing = false;

function followOtherTabs(): void {
  if (isFollowing) return;
  isFollowing = true;
  followAbandoned((owner) => {
    if (!isSignedIn(owner)) return;
    for (const draft of openDrafts()) void draft.abandon();
  });
}

export const openDrafts = (): readonly OpenDraft[] => [...opened.values()];

/** The working copy of a test; the same one for all screens of this page. */
export function draftOf(testId: string, storage: Storage): OpenDraft {
  const existing = opened.get(testId);
  if (existing) return existing;
  followOtherTabs();
  const draft = openDraft(testId, storage, () => {
    if (opened.get(testId) === draft) opened.delete(testId);
  });
  opened.set(testId, draft);
  return draft;
}
