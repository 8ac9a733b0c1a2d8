export interface BatchLimits<Item> {
  /** Items of one batch at most. */
  readonly most: number;
  /** Maximum number of batches in progress. */
  readonly atOnce: number;
  /** Items with the same key are never in progress together: the later one waits. Absent: all may be. */
  readonly keyOf?: (item: Item) => string;
}

/** A batch that takes longer, on a connection that broke silently for instance, stops nobody else. */
const PATIENCE_MS = 1_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Joins calls that arrive while earlier ones are in progress: they share the next batch. A lone call starts at once. A
 * batch that fails is run again item by item, so that each call gets its own result or failure.
 * @param run returns one result for each item, in their order
 */
export function batchCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most, atOnce, keyOf }: BatchLimits<Item>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const busyKeys = new Set<string>();
  let underWay = 0;

  /** Removes the next batch from the waiting calls, in their order, without keys in progress. */
  function takeBatch(): Waiting<Item, Result>[] {
    if (!keyOf) return waiting.splice(0, most);
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    for (const call of waiting) {
      const key = keyOf(call.item);
      if (batch.length === most || busyKeys.has(key)) rest.push(call);
      else {
        busyKeys.add(key);
        batch.push(call);
      }
    }
    waiting = rest;
    return batch;
  }

  async function runAlone({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    try {
      for (const result of await run([item])) resolve(result);
    } catch (error) {
      reject(error);
    }
  }

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    if (batch.length === 1) return Promise.all(batch.map(runAlone)).then(() => undefined);
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch {
      await Promise.all(batch.map(runAlone));
    }
  }

  function startNext(): void {
    while (underWay < atOnce && waiting.length > 0) {
      const batch = takeBatch();
      if (batch.length === 0) return;
      underWay += 1;
      let isFreed = false;
      const free = () => {
        if (isFreed) return;
        isFreed = true;
        underWay -= 1;
        if (keyOf) for (const { item } of batch) busyKeys.delete(keyOf(item));
        startNext();
      };
      const timer = setTimeout(free, PATIENCE_MS);
      void runBatch(batch).finally(() => {
        clearTimeout(timer);
        free();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      startNext();
    });
}
