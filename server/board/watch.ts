import type { FastifyBaseLogger } from 'fastify';
import type { Board } from '#contract/board.ts';

/** What one watcher of a test receives. */
export interface BoardWatcher {
  /** The whole board, at each change. */
  changed(board: Board): void;
  /** Nothing changed for a while: the last board is still current. */
  unchanged(): void;
  /** The test was deleted. */
  over(): void;
}

export interface BoardWatch {
  /** Subscribes to a test, beginning with its board. Returns the unsubscribe function. */
  watch(testId: string, watcher: BoardWatcher): () => void;
  /** A change that the watchers should see at once. */
  refresh(testId: string): void;
  /** Number of watched tests. */
  size(): number;
}

/** Minimum interval between reads of a board; milliseconds. */
const EVERY_MS = 1_000;
/**
 * Reading a board of thousands of people takes a while, and those people are sitting an exam. So reads may use one
 * sixtieth of the time, with pauses of at most ten seconds.
 */
const PAUSE_TIMES = 59;
const PAUSE_AT_MOST_MS = 10_000;
/** Interval for sending a board in which only «last seen» has changed. */
const LESSER_EVERY_MS = 5_000;
/** The app ends a stream after 15 s of silence. */
const ALIVE_EVERY_MS = 10_000;
/** A new watcher gets an older board first, and a fresh one as soon as it is read. */
const OLD_MS = 2_000;

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

/** One loop per watched test, for any number of watchers; none while nobody watches. */
class Loop {
  readonly watchers = new Set<BoardWatcher>();
  private readonly read: () => Promise<Board | null>;
  private readonly log: FastifyBaseLogger;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private latest: Board | null = null;
  private lastSent = { essence: '', seen: '', at: 0 };
  private readAt = 0;
  private isReading = false;
  private isHurried = false;
  private isStopped = false;

  constructor(read: () => Promise<Board | null>, log: FastifyBaseLogger) {
    this.read = read;
    this.log = log;
  }

  join(watcher: BoardWatcher): void {
    this.watchers.add(watcher);
    if (this.latest) watcher.changed(this.latest);
    if (performance.now() - this.readAt > OLD_MS) this.hurry();
  }

  /** Reads at once. During a read: reads once more after it, to include the changes made meanwhile. */
  hurry(): void {
    this.isHurried = this.isReading;
    if (this.isReading || this.timer === undefined) return;
    clearTimeout(this.timer);
    void this.run();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  async run(): Promise<void> {
    const from = performance.now();
    this.readAt = from;
    this.isReading = true;
    let board: Board | null | undefined;
    try {
      board = await this.read();
    } catch (error) {
      // Nothing is sent then, not even «unchanged»: the watchers notice the silence.
      this.log.warn({ err: error }, 'a board could not be read; tried again');
    }
    this.isReading = false;
    const took = performance.now() - from;
    const rest = this.isHurried
      ? 0
      : Math.max(Math.min(took * PAUSE_TIMES, PAUSE_AT_MOST_MS), EVERY_MS - took);
    this.isHurried = false;
    if (board !== undefined) this.publish(board, took + rest);
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.run(), rest);
  }

  /** @param nextInMs when the next board is likely to come */
  private publish(board: Board | null, nextInMs: number): void {
    if (!board) {
      for (const watcher of this.watchers) watcher.over();
      return;
    }
    const now = performance.now();
    const next = { essence: essence(board), seen: seen(board), at: now };
    const age = now - this.lastSent.at;
    const isNews =
      next.essence !== this.lastSent.essence ||
      (next.seen !== this.lastSent.seen && age >= LESSER_EVERY_MS);
    this.latest = board;
    if (isNews) {
      this.lastSent = next;
      for (const watcher of this.watchers) watcher.changed(board);
    } else if (age + nextInMs > ALIVE_EVERY_MS) {
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
    refresh: (testId) => loops.get(testId)?.hurry(),
    size: () => loops.size,
  };
}
