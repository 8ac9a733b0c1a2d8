import type { Board } from '#contract/board.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { Timers } from '#app/outbox/surroundings.ts';

export interface FeedEnvironment {
  /** Listens to one stream: resolves at its end, throws `ApiFailure`. */
  readonly watch: (listener: {
    onEvent: (board: Board) => void;
    onAlive: () => void;
    signal: AbortSignal;
  }) => Promise<void>;
  /** Asks once. */
  readonly ask: (signal: AbortSignal) => Promise<Board>;
  readonly timers: Timers;
  readonly random: () => number;
  /** Server time as the device knows it, milliseconds. */
  readonly now: () => number;
}

/** What the page shows, and from when it is. */
export interface FeedState {
  readonly board: Board | null;
  /** Until when the board is known to be true: server time, milliseconds. */
  readonly updatedAt: number | null;
  readonly way: 'stream' | 'polling';
  /** The last try failed. */
  readonly problem: ApiFailure | null;
  /** No further try is made: the test is gone, or not this person's. */
  readonly isOver: boolean;
}

export interface Feed {
  state(): FeedState;
  subscribe(listener: () => void): () => void;
  start(): void;
  stop(): void;
  /** Tries at once: the network or the page came back, something was changed. */
  wake(): void;
}

const POLL_EVERY_MS = 5_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Something on the way holds streams back: that seldom changes soon. */
const HELD_BACK_WAIT_MS = 60_000;

/** No verdict on the test: the same call may do better later. */
const isFinal = ({ kind, status }: ApiFailure): boolean =>
  kind === 'refused' && (status === 401 || status === 403 || status === 404);

/** What stands before the first reply. */
const NOTHING_YET: FeedState = {
  board: null,
  updatedAt: null,
  way: 'stream',
  problem: null,
  isOver: false,
};

/**
 * Keeps a board current: by a stream, and by asking every 5 s while there is none. A broken stream is
 * opened again with back-off and jitter; polling stops with the first event of the new one.
 */
export function createFeed(env: FeedEnvironment): Feed {
  let state = NOTHING_YET;
  let life: AbortController | null = null;
  let streamTimer: unknown;
  let pollTimer: unknown;
  let failures = 0;
  let isStreaming = false;
  /** The stream that is open has told something. */
  let hasSpoken = false;
  let isAsking = false;
  const listeners = new Set<() => void>();

  function change(next: Partial<FeedState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  /** A reply that was overtaken on its way tells nothing new. */
  function take(board: Board, way: FeedState['way']): void {
    const at = Date.parse(board.serverTime);
    const isOlder = state.board !== null && at < Date.parse(state.board.serverTime);
    const updatedAt = Math.max(at, state.updatedAt ?? at);
    change({ way, problem: null, updatedAt, ...(isOlder ? {} : { board }) });
  }

  function fail(error: unknown): ApiFailure | null {
    if (!(error instanceof ApiFailure)) throw error;
    if (isFinal(error)) {
      halt();
      change({ problem: error, isOver: true });
      return null;
    }
    change({ problem: error });
    return error;
  }

  function halt(): void {
    life?.abort();
    life = null;
    env.timers.clear(streamTimer);
    env.timers.clear(pollTimer);
    isStreaming = false;
    isAsking = false;
    hasSpoken = false;
  }

  function again(wait: number): void {
    env.timers.clear(streamTimer);
    streamTimer = env.timers.set(() => void stream(), Math.round(wait * (0.5 + env.random())));
  }

  async function stream(): Promise<void> {
    const mine = life;
    if (!mine || isStreaming) return;
    isStreaming = true;
    env.timers.clear(streamTimer);
    hasSpoken = false;
    let failure: ApiFailure | null = null;
    try {
      await env.watch({
        signal: mine.signal,
        onEvent: (board) => {
          if (mine !== life) return;
          hasSpoken = true;
          failures = 0;
          env.timers.clear(pollTimer);
          take(board, 'stream');
        },
        onAlive: () => {
          if (mine === life) change({ updatedAt: env.now(), problem: null });
        },
      });
    } catch (error) {
      if (mine === life) failure = fail(error);
    }
    if (mine !== life) return;
    isStreaming = false;
    const isHeldBack = failure?.timedOut === true && !hasSpoken;
    hasSpoken = false;
    const wait = isHeldBack
      ? HELD_BACK_WAIT_MS
      : Math.max(
          failure?.retryAfterMs ?? 0,
          Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 6)),
        );
    failures += 1;
    again(wait);
    void ask();
  }

  /** Polling goes on until a stream speaks. */
  async function ask(): Promise<void> {
    const mine = life;
    if (!mine || isAsking) return;
    isAsking = true;
    env.timers.clear(pollTimer);
    try {
      const board = await env.ask(mine.signal);
      if (mine === life) take(board, hasSpoken ? 'stream' : 'polling');
    } catch (error) {
      if (mine === life && !hasSpoken) fail(error);
    }
    if (mine !== life) return;
    isAsking = false;
    if (hasSpoken) return;
    pollTimer = env.timers.set(() => void ask(), POLL_EVERY_MS);
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () => {
      if (life) return;
      life = new AbortController();
      failures = 0;
      void stream();
    },
    stop: halt,
    wake: () => {
      if (!life) return;
      if (!isStreaming) {
        failures = 0;
        void stream();
      }
      if (state.way === 'polling' || state.problem) void ask();
    },
  };
}
