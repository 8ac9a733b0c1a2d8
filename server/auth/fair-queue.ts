import { Refusal } from '#server/http/refusal.ts';

/**
 * Whose work it is. Devices that an account knows and people who are signed in wait by account, everybody
 * else by the network of his address, and there by account.
 */
export type Place =
  | { readonly account: string }
  | { readonly network: string; readonly email: string };

/** Of five turns in a row one is for whoever is not known, so that nobody who is known shuts the others out. */
const KNOWN_IN_A_ROW = 4;
const LONGEST_QUEUE = 4_000;
const RETRY_AFTER_SECONDS = 10;

interface Waiting {
  start(): void;
  refuse(): void;
}

/**
 * Keys take turns; under one key it is first come, first served. Where the newest key goes first, a flood of
 * keys that nobody has seen before does not keep the next one waiting.
 */
class FairLine {
  readonly #isNewestFirst: boolean;
  /** Those that wait under no further key. */
  readonly #own: Waiting[] = [];
  readonly #branches = new Map<string, FairLine>();
  /** Keys of the branches; the last one's turn is next. */
  readonly #turns: string[] = [];
  size = 0;

  constructor(isNewestFirst = false) {
    this.#isNewestFirst = isNewestFirst;
  }

  push([key, ...rest]: readonly string[], waiting: Waiting): void {
    this.size += 1;
    if (key === undefined) this.#own.push(waiting);
    else this.#branchOf(key, rest.length > 0).push(rest, waiting);
  }

  /** Below the first level the newest key goes first: at the first one nobody gets ahead by many keys. */
  #branchOf(key: string, isNewestFirst: boolean): FairLine {
    const known = this.#branches.get(key);
    if (known) return known;
    const branch = new FairLine(isNewestFirst);
    this.#branches.set(key, branch);
    if (this.#isNewestFirst) this.#turns.push(key);
    else this.#turns.unshift(key);
    return branch;
  }

  /** Takes out whoever's turn it is. */
  shift(): Waiting | undefined {
    this.size -= 1;
    const key = this.#turns.pop() ?? '';
    const branch = this.#branches.get(key);
    if (!branch) return this.#own.shift();
    const waiting = branch.shift();
    if (branch.size > 0) this.#turns.unshift(key);
    else this.#branches.delete(key);
    return waiting;
  }

  /** Takes out the last one of whoever has the most. */
  drop(): Waiting | undefined {
    this.size -= 1;
    let longest: [string, FairLine] | undefined;
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
 * Runs at most `atOnce` of the tasks given to it together. Whoever floods it waits for himself, and of a
 * queue that grew too long the last of the one who has the most is refused.
 */
export function createFairQueue(atOnce: number, longest = LONGEST_QUEUE) {
  const known = new FairLine();
  const unknown = new FairLine();
  let running = 0;
  let knownInARow = 0;

  function enter(place: Place, waiting: Waiting): void {
    const line = 'account' in place ? known : unknown;
    line.push('account' in place ? [place.account] : [place.network, place.email], waiting);
    if (line.size > longest) line.drop()?.refuse();
  }

  /** Of those who wait the one whose turn it is. */
  function next(): Waiting | null {
    const isKnownsTurn = unknown.size === 0 || knownInARow < KNOWN_IN_A_ROW;
    const line = known.size > 0 && isKnownsTurn ? known : unknown;
    if (line.size === 0) return null;
    knownInARow = line === known ? knownInARow + 1 : 0;
    return line.shift() ?? null;
  }

  return async <T>(place: Place, task: () => Promise<T>): Promise<T> => {
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
      // The place passes on without becoming free in between: nobody overtakes.
      if (waiting) waiting.start();
      else running -= 1;
    }
  };
}
