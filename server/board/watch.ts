import type { FastifyBaseLogger } from 'fastify';
import type { Board } from '#contract/board.ts';

/** What one watcher of a test receives. */
export interface Watcher {
  /** The whole board, at each change. */
  changed(board: Board): void;
  /** Nothing changed for a while: the last board is still current. */
  unchanged(): void;
  /** The test was deleted. */
  over(): void;
}

export interface BoardWatch {
  /** Subscribes to a test, beginning with its board. Returns the unsubscribe function. */
  watch(testId: string, watcher: Watcher): () => void;
  /** Number of watched tests. */
  size(): number;
}

/** Minimum interval between reads of a board; milliseconds. */
const EVERY_MS = 1_000;
/**
 * A board of thousands of people takes a while to read, and those people are sitting an exam: it is read in one
 * twentieth of the time, and never rests for more than ten seconds.
 */
const PAUSE_TIMES = 19;
const PAUSE_AT_MOST_MS = 10_000;
/** Interval for sending a board in which only «last seen» has changed. */
const LESSER_EVERY_MS = 5_000;
const ALIVE_EVERY_MS = 15_000;

/** What makes a change worth sending at once: everything but the times of contact. */
const essence = ({ serverTime: _now, rows, ...board }: Board): string =>
  JSON.stringify([
    board,
    rows.map(({ lastSeenAt: _seen, unsentAt, unsent, ...row }) => [
      row,
      unsent,
      unsent > 0 ? unsentAt : null,
    ]),
  ]);

const seen = ({ rows }: Board): string =>
  JSON.stringify(rows.map(({ lastSeenAt, unsentAt }) => [lastSeenAt, unsentAt]));

/** One loop per watched test, however many watchers; none while nobody watches. */
class Loop {
  readonly watchers = new Set<Watcher>();
  private readonly read: () => Promise<Board | null>;
  private readonly log: FastifyBaseLogger;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private latest: Board | null = null;
  private lastSent = { essence: '', seen: '', at: 0 };
  private isStopped = false;

  constructor(read: () => Promise<Board | null>, log: FastifyBaseLogger) {
    this.read = read;
    this.log = log;
  }

  join(watcher: Watcher): void {
    this.watchers.add(watcher);
    if (this.latest) watcher.changed(this.latest);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  async run(): Promise<void> {
    const from = performance.now();
    try {
      this.publish(await this.read());
    } catch (error) {
      // Nothing is sent then, not even «unchanged»: the watchers notice the silence.
      this.log.warn({ err: error }, 'a board could not be read; tried again');
    }
    if (this.isStopped) return;
    const took = performance.now() - from;
    const rest = Math.min(took * PAUSE_TIMES, PAUSE_AT_MOST_MS);
    this.timer = setTimeout(() => void this.run(), Math.max(rest, EVERY_MS - took));
  }

  private publish(board: Board | null): void {
    if (this.isStopped) return;
    if (!board) {
      for (const watcher of this.watchers) watcher.over();
      return;
    }
    const now = performance.now();
    const next = { essence: essence(board), seen: seen(board), at: now };
    const age = now - this.lastSent.at;
    const isNews =
      this.latest === null ||
      next.essence !== this.lastSent.essence ||
      (next.seen !== this.lastSent.seen && age >= LESSER_EVERY_MS);
    this.latest = board;
    if (isNews) {
      this.lastSent = next;
      for (const watcher of this.watchers) watcher.changed(board);
    } else if (age >= ALIVE_EVERY_MS) {
      this.lastSent = { ...this.lastSent, at: now };
      for (const watcher of this.watchers) watcher.unchanged();
    }
  }
}

export function createBoardWatch(
  read: (testId: string) => Promise<Board | null>,
  log: FastifyBaseLogger,
): BoardWatch {
  const loops = new Map<string, Loop>();
  return {
    watch(testId, watcher) {
      const running = loops.get(testId);
      const loop = running ?? new Loop(() => read(testId), log);
      loop.join(watcher);
      if (!running) {
        loops.set(testId, loop);
        void loop.run();
      }
      return () => {
        loop.watchers.delete(watcher);
        if (loop.watchers.size > 0 || loops.get(testId) !== loop) return;
        loops.delete(testId);
        loop.stop();
      };
    },
    size: () => loops.size,
  };
}
