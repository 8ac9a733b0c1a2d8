import { Refusal } from '#server/http/refusal.ts';

/**
 * The keys of a task: known devices and signed-in people wait by account, everybody else by network, and there
 * by account.
 */
export type QueuePosition =
  | { readonly account: string }
  | { readonly network: string; readonly email: string };

/** One of five turns in a row is for unknown devices, so that known ones never exclude them. */
const KNOWN_IN_A_ROW = 4;
const LONGEST_QUEUE = 4_000;
const RETRY_AFTER_SECONDS = 10;

interface WaitingTask {
  start(): void;
  refuse(): void;
}

/**
 * Keys take turns; under one key tasks run first come, first served. If the newest key goes first, a flood of new keys
 * does not delay the next one.
 */
class QueueBranch {
  readonly #isNewestFirst: boolean;
  /** Tasks without a further key. */
  readonly #own: WaitingTask[] = [];
  readonly #branches = new Map<string, QueueBranch>();
  /** Keys of the branches; the last one's turn is next. */
  readonly #turns: string[] = [];
  size = 0;

  constructor(isNewestFirst = false) {
    this.#isNewestFirst = isNewestFirst;
  }

  push([key, ...rest]: readonly string[], waiting: WaitingTask): void {
    this.size += 1;
    if (key === undefined) this.#own.push(waiting);
    else this.#branchOf(key, rest.length > 0).push(rest, waiting);
  }

  /** Below the first level the newest key goes first: at the first level many keys gain nothing. */
  #branchOf(key: string, isNewestFirst: boolean): QueueBranch {
    const known = this.#branches.get(key);
    if (known) return known;
    const branch = new QueueBranch(isNewestFirst);
    this.#branches.set(key, branch);
    if (this.#isNewestFirst) this.#turns.push(key);
    else this.#turns.unshift(key);
    return branch;
  }

  /** Removes and returns the next task. */
  shift(): WaitingTask | undefined {
    this.size -= 1;
    const key = this.#turns.pop() ?? '';
    const branch = this.#branches.get(key);
    if (!branch) return this.#own.shift();
    const waiting = branch.shift();
    if (branch.size > 0) this.#turns.unshift(key);
    else this.#branches.delete(key);
    return waiting;
  }

  /** Removes and returns the last task of the largest branch. */
  drop(): WaitingTask | undefined {
    this.size -= 1;
    let longest: [string, QueueBranch] | undefined;
    for (const branch of this.#branches)
      if (!longest || branch[1].size > longest[1].size) longest = branch;
    if (!longest) return this.#own.pop();
    const [key, branch] = longest;
    const waiting = branch.drop();
    if (branch.size === 0) {
      this.#branches.delete(key);
      this.#turns.splice(this.#turns.indexOf(key), 1);
    }
    return waiting;
  }
}

/**
 * Runs at most `atOnce` of its tasks concurrently. A flood delays only its own key; if the queue is too long, the last
 * task of the largest branch is refused.
 */
export function createFairQueue(atOnce: number, longest = LONGEST_QUEUE) {
  const known = new QueueBranch();
  const unknown = new QueueBranch();
  let running = 0;
  let knownInARow = 0;

  function enter(place: QueuePosition, waiting: WaitingTask): void {
    const line = 'account' in place ? known : unknown;
    line.push('account' in place ? [place.account] : [place.network, place.email], waiting);
    if (line.size > longest) line.drop()?.refuse();
  }

  /** The waiting task that is next in turn. */
  function next(): WaitingTask | null {
    const isKnownsTurn = unknown.size === 0 || knownInARow < KNOWN_IN_A_ROW;
    const line = known.size > 0 && isKnownsTurn ? known : unknown;
    if (line.size === 0) return null;
    knownInARow = line === known ? knownInARow + 1 : 0;
    return line.shift() ?? null;
  }

  return async <T>(place: QueuePosition, task: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      await new Promise<void>((start, reject) => {
        const refuse = () =>
          reject(new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
        enter(place, { start, refuse });
      });
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const waiting = next();
      // The slot passes on without becoming free in between, so that no task overtakes.
      if (waiting) waiting.start();
      else running -= 1;
    }
  };
}
