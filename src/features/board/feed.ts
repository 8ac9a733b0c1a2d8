import type { Board } from '#contract/board.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { Timers } from '#app/api/timers.ts';

export interface FeedEnvironment {
  /** Reads one event stream: resolves at its end, throws `ApiFailure`. */
  readonly watch: (listener: {
    onEvent: (board: Board) => void;
    onAlive: () => void;
    signal: AbortSignal;
  }) => Promise<void>;
  /** One polling request. */
  readonly poll: (signal: AbortSignal) => Promise<Board>;
  readonly timers: Timers;
  readonly random: () => number;
  /** Estimated server time in milliseconds. */
  readonly now: () => number;
}

/** The board shown and the time of its update. */
export interface FeedState {
  readonly board: Board | null;
  /** Time of the last confirmed update: server time, milliseconds. */
  readonly updatedAt: number | null;
  readonly transport: 'stream' | 'polling';
  /** Why the last request failed. */
  readonly problem: ApiFailure | null;
  /** Stopped for good: the test does not exist or access is denied. */
  readonly isOver: boolean;
}

export interface Feed {
  state(): FeedState;
  subscribe(listener: () => void): () => void;
  start(): void;
  stop(): void;
  /** Reconnects at once: the network or the page is back, or something was changed. */
  wake(): void;
}

const POLL_EVERY_MS = 5_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** A proxy buffers event streams; that seldom changes soon. */
const BUFFERED_RETRY_MS = 60_000;

/** Statuses that may pass: the same call may succeed later. */
const isFinal = ({ kind, status }: ApiFailure): boolean =>
  kind === 'refused' && (status === 401 || status === 403 || status === 404);

/** The state before the first reply. */
const NOTHING_YET: FeedState = {
  board: null,
  updatedAt: null,
  transport: 'stream',
  problem: null,
  isOver: false,
};

/**
 * Updates a board by an event stream, or by polling every 5 s without one. A broken stream is reopened with back-off
 * and jitter; polling stops at the first event of the new stream.
 */
export function createFeed(env: FeedEnvironment): Feed {
  let state = NOTHING_YET;
  let active: AbortController | null = null;
  let streamTimer: unknown;
  let pollTimer: unknown;
  let failures = 0;
  let isStreaming = false;
  /** Whether the open stream has sent an event. */
  let hasReceivedEvent = false;
  let isPolling = false;
  const listeners = new Set<() => void>();

  function change(next: Partial<FeedState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  /** An out-of-order reply does not replace a newer board. */
  function applyBoard(board: Board, transport: FeedState['transport']): void {
    const at = Date.parse(board.serverTime);
    const isOlder = state.board !== null && at < Date.parse(state.board.serverTime);
    const updatedAt = Math.max(at, state.updatedAt ?? at);
    change({ transport, problem: null, updatedAt, ...(isOlder ? {} : { board }) });
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
    active?.abort();
    active = null;
    env.timers.clear(streamTimer);
    env.timers.clear(pollTimer);
    isStreaming = false;
    isPolling = false;
    hasReceivedEvent = false;
  }

  function scheduleStream(wait: number): void {
    env.timers.clear(streamTimer);
    streamTimer = env.timers.set(() => void stream(), Math.round(wait * (0.5 + env.random())));
  }

  async function stream(): Promise<void> {
    const connection = active;
    if (!connection || isStreaming) return;
    isStreaming = true;
    env.timers.clear(streamTimer);
    hasReceivedEvent = false;
    let failure: ApiFailure | null = null;
    try {
      await env.watch({
        signal: connection.signal,
        onEvent: (board) => {
          if (connection !== active) return;
          hasReceivedEvent = true;
          failures = 0;
          env.timers.clear(pollTimer);
          applyBoard(board, 'stream');
        },
        onAlive: () => {
          if (connection === active) change({ updatedAt: env.now(), problem: null });
        },
      });
    } catch (error) {
      if (connection === active) failure = fail(error);
    }
    if (connection !== active) return;
    isStreaming = false;
    const isBuffered = failure?.timedOut === true && !hasReceivedEvent;
    hasReceivedEvent = false;
    const wait = isBuffered
      ? BUFFERED_RETRY_MS
      : Math.max(
          failure?.retryAfterMs ?? 0,
          Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(failures, 6)),
        );
    failures += 1;
    scheduleStream(wait);
    void poll();
  }

  /** Polls until a stream sends an event. */
  async function poll(): Promise<void> {
    const connection = active;
    if (!connection || isPolling) return;
    isPolling = true;
    env.timers.clear(pollTimer);
    try {
      const board = await env.poll(connection.signal);
      if (connection === active) applyBoard(board, hasReceivedEvent ? 'stream' : 'polling');
    } catch (error) {
      if (connection === active && !hasReceivedEvent) fail(error);
    }
    if (connection !== active) return;
    isPolling = false;
    if (hasReceivedEvent) return;
    pollTimer = env.timers.set(() => void poll(), POLL_EVERY_MS);
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () => {
      if (active) return;
      active = new AbortController();
      failures = 0;
      void stream();
    },
    stop: halt,
    wake: () => {
      if (!active) return;
      if (!isStreaming) {
        failures = 0;
        void stream();
      }
      if (state.transport === 'polling' || state.problem) void poll();
    },
  };
}
