import type { FastifyBaseLogger } from 'fastify';
import type { Board } from '#contract/board.ts';

/** What one watcher of a test hears. */
export interface Watcher {
  /** The whole board, at each change. */
  changed(board: Board): void;
  /** Nothing changed for a while: what came last is still so. */
  unchanged(): void;
  /** The test is gone. */
  over(): void;
}

export interface BoardWatch {
  /** Hears of a test from now on, its board first. Returns the way to stop. */
  watch(testId: string, watcher: Watcher): () => void;
  /** Tests that are being watched. */
  size(): number;
}

/** A board is read this often at most; milliseconds. */
const EVERY_MS = 1_000;
/** When nothing but «last seen» changed, that is told so often. */
const LESSER_EVERY_MS = 5_000;
const ALIVE_EVERY_MS = 15_000;

/** What makes a change worth telling at once: all but the times at which devices were heard. */
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
  private told = { essence: '', seen: '', at: 0 };
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
      this.tell(await this.read());
    } catch (error) {
      // Nothing is told then, not even that all is as before: the watchers see that it is silent.
      this.log.warn({ err: error }, 'a board could not be read; tried again');
    }
    if (this.isStopped) return;
    const took = performance.now() - from;
    // A slow database is not asked without a pause.
    this.timer = setTimeout(() => void this.run(), Math.max(took, EVERY_MS - took));
  }

  private tell(board: Board | null): void {
    if (this.isStopped) return;
    if (!board) {
      for (const watcher of this.watchers) watcher.over();
      return;
    }
    const now = performance.now();
    const next = { essence: essence(board), seen: seen(board), at: now };
    const age = now - this.told.at;
    const isNews =
      this.latest === null ||
      next.essence !== this.told.essence ||
      (next.seen !== this.told.seen && age >= LESSER_EVERY_MS);
    this.latest = board;
    if (isNews) {
      this.told = next;
      for (const watcher of this.watchers) watcher.changed(board);
    } else if (age >= ALIVE_EVERY_MS) {
      this.told = { ...this.told, at: now };
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
