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

/** The state shown, with its listeners. */
function createFeedStore() {
  let state = NOTHING_YET;
  const listeners = new Set<() => void>();

  function change(next: Partial<FeedState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  return {
    state: () => state,
    change,
    /** An out-of-order reply does not replace a newer board. */
    applyBoard(board: Board, transport: FeedState['transport']): void {
      const at = Date.parse(board.serverTime);
      const isOlder = state.board !== null && at < Date.parse(state.board.serverTime);
      const updatedAt = Math.max(at, state.updatedAt ?? at);
      change({ transport, problem: null, updatedAt, ...(isOlder ? {} : { board }) });
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type FeedStore = ReturnType<typeof createFeedStore>;

interface Polling {
  /** Whether no stream sends events. */
  readonly isNeeded: () => boolean;
  readonly onBoard: (board: Board) => void;
  readonly onError: (error: unknown) => void;
}

/** Polls until a stream sends an event. */
function createPoller(
  env: FeedEnvironment,
  signal: AbortSignal,
  { isNeeded, onBoard, onError }: Polling,
) {
  let timer: unknown;
  let isPolling = false;
  const pause = () => env.timers.clear(timer);

  async function poll(): Promise<void> {
    if (signal.aborted || isPolling) return;
    isPolling = true;
    pause();
    try {
      const board = await env.poll(signal);
      if (!signal.aborted) onBoard(board);
    } catch (error) {
      if (!signal.aborted && isNeeded()) onError(error);
    }
    if (signal.aborted) return;
    isPolling = false;
    if (isNeeded()) timer = env.timers.set(() => void poll(), POLL_EVERY_MS);
  }

  return { poll, pause };
}

/** How long to wait before the stream is opened again, without jitter. */
function streamRetryMs(failure: ApiFailure | null, failures: number, hasReceivedEvent: boolean) {
  if (failure?.timedOut === true && !hasReceivedEvent) return BUFFERED_RETRY_MS;
  const backOff = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(failures, 6));
  return Math.max(failure?.retryAfterMs ?? 0, backOff);
}

interface Streaming {
  readonly onBoard: (board: Board) => void;
  readonly onAlive: () => void;
  readonly onError: (error: unknown) => ApiFailure;
  readonly onEnd: () => void;
}

/** Reads the event stream, and opens it again after each end. */
function createStream(
  env: FeedEnvironment,
  signal: AbortSignal,
  { onBoard, onAlive, onError, onEnd }: Streaming,
) {
  let timer: unknown;
  let failures = 0;
  let isOpen = false;
  let hasReceivedEvent = false;

  async function open(): Promise<void> {
    isOpen = true;
    env.timers.clear(timer);
    hasReceivedEvent = false;
    let failure: ApiFailure | null = null;
    try {
      await env.watch({
        signal,
        onEvent: (board) => {
          if (signal.aborted) return;
          hasReceivedEvent = true;
          failures = 0;
          onBoard(board);
        },
        onAlive: () => {
          if (!signal.aborted) onAlive();
        },
      });
    } catch (error) {
      if (!signal.aborted) failure = onError(error);
    }
    if (signal.aborted) return;
    isOpen = false;
    const wait = streamRetryMs(failure, failures, hasReceivedEvent);
    hasReceivedEvent = false;
    failures += 1;
    timer = env.timers.set(() => void open(), Math.round(wait * (0.5 + env.random())));
    onEnd();
  }

  return {
    /** Opens it at once, unless it is open. */
    open: () => {
      if (isOpen) return;
      failures = 0;
      void open();
    },
    pause: () => env.timers.clear(timer),
    /** Whether the open stream has sent an event. */
    isLive: () => hasReceivedEvent,
  };
}

/** Updates the store until it is stopped or a failure is final. */
function createConnection(env: FeedEnvironment, { state, change, applyBoard }: FeedStore) {
  const abort = new AbortController();
  const { signal } = abort;

  function stop(): void {
    abort.abort();
    stream.pause();
    poller.pause();
  }

  function fail(error: unknown): ApiFailure {
    if (!(error instanceof ApiFailure)) throw error;
    const isOver = isFinal(error);
    if (isOver) stop();
    change({ problem: error, ...(isOver ? { isOver } : {}) });
    return error;
  }

  const poller = createPoller(env, signal, {
    isNeeded: () => !stream.isLive(),
    onBoard: (board) => applyBoard(board, stream.isLive() ? 'stream' : 'polling'),
    onError: fail,
  });
  const stream = createStream(env, signal, {
    onBoard: (board) => {
      poller.pause();
      applyBoard(board, 'stream');
    },
    onAlive: () => change({ updatedAt: env.now(), problem: null }),
    onError: fail,
    onEnd: () => void poller.poll(),
  });

  return {
    isStopped: () => signal.aborted,
    open: stream.open,
    stop,
    wake(): void {
      stream.open();
      if (state().transport === 'polling' || state().problem) void poller.poll();
    },
  };
}

/**
 * Updates a board by an event stream, or by polling every 5 s without one. A broken stream is reopened with back-off
 * and jitter; polling stops at the first event of the new stream.
 */
export function createFeed(env: FeedEnvironment): Feed {
  const store = createFeedStore();
  let connection: ReturnType<typeof createConnection> | null = null;
  const isActive = () => connection !== null && !connection.isStopped();
  return {
    state: store.state,
    subscribe: store.subscribe,
    start: () => {
      if (isActive()) return;
      connection = createConnection(env, store);
      connection.open();
    },
    stop: () => connection?.stop(),
    wake: () => {
      if (isActive()) connection?.wake();
    },
  };
}
