/** When the page goes for good or into the back/forward cache, and when it is back. Each gives its end. */
export interface PageVisits {
  /** `mayReturn`: into the back/forward cache, perhaps. */
  onHide(run: (mayReturn: boolean) => void): () => void;
  onShow(run: () => void): () => void;
}

/** What a connection needs of a database handle. */
interface Closable {
  close(): void;
  addEventListener(type: 'close' | 'versionchange', listener: () => void): void;
}

/** What a connection needs of a transaction, one that upgrades included. */
interface Abortable {
  abort(): void;
  addEventListener(type: 'complete' | 'abort', listener: () => void): void;
}

export interface Connection<D extends Closable> {
  /** The open database; waits while the page is hidden, opens again where it was let go of. */
  use(): Promise<D>;
  /**
   * To be called with each transaction as it begins: it is aborted when the page is hidden before it
   * commits, and `onInterrupted` is called. It may be run again.
   */
  track(transaction: Abortable, onInterrupted?: () => void): void;
  /** Lets go of the connection; the next use opens it again. */
  drop(): void;
  /** Lets go of it, and of the page. */
  close(): void;
}

/**
 * One connection to an IndexedDB database. A transaction that has not committed when WebKit puts the
 * page into the back/forward cache is frozen with it and blocks every later one of the origin until
 * the browser ends. So when the page is hidden its transactions are aborted and the connection is
 * closed (in WebKit neither is enough alone), and nothing begins before it is back. A transaction that
 * was told to commit goes on without the page.
 */
export function createConnection<D extends Closable>(
  open: () => Promise<D>,
  page?: PageVisits,
): Connection<D> {
  let opening: Promise<D> | null = null;
  let database: D | null = null;
  const live = new Map<Abortable, (() => void) | undefined>();
  let isHidden = false;
  let shown: Promise<void> = Promise.resolve();
  let show: () => void = () => undefined;

  function drop(): void {
    const closing = database;
    opening = null;
    database = null;
    closing?.close();
  }

  function connect(): Promise<D> {
    if (opening) return opening;
    const mine = open().then((db) => {
      const forget = (): void => {
        if (opening === mine) opening = database = null;
      };
      db.addEventListener('close', forget);
      // A newer page wants to upgrade: let go, and open again at the next use.
      db.addEventListener('versionchange', () => {
        forget();
        db.close();
      });
      if (opening === mine) database = db;
      else db.close();
      return db;
    });
    opening = mine;
    mine.catch(() => {
      if (opening === mine) opening = null;
    });
    return mine;
  }

  function interrupt(): void {
    for (const [transaction, onInterrupted] of live) {
      try {
        transaction.abort();
      } catch {
        // Committing already: it ends without the page.
        continue;
      }
      onInterrupted?.();
    }
    live.clear();
  }

  const stopHiding = page?.onHide((mayReturn) => {
    if (!isHidden) {
      shown = new Promise((resolve) => {
        show = resolve;
      });
    }
    isHidden = true;
    if (mayReturn) interrupt();
    drop();
  });
  const stopShowing = page?.onShow(() => {
    isHidden = false;
    show();
  });

  return {
    async use() {
      for (;;) {
        await shown;
        const db = await connect();
        // Hidden while it was opening: that handle is closed.
        if (!isHidden) return db;
      }
    },
    track(transaction, onInterrupted) {
      if (!page) return;
      live.set(transaction, onInterrupted);
      const forget = (): void => void live.delete(transaction);
      transaction.addEventListener('complete', forget);
      transaction.addEventListener('abort', forget);
    },
    drop,
    close() {
      stopHiding?.();
      stopShowing?.();
      drop();
    },
  };
}
