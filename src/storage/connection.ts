/** Events of unloading or entering the back/forward cache, and of returning. Each returns its unsubscribe function. */
export interface PageVisits {
  /** `mayReturn`: the page may be entering the back/forward cache. */
  onHide(run: (mayReturn: boolean) => void): () => void;
  onShow(run: () => void): () => void;
}

/** The used subset of a database handle. */
interface Closable {
  close(): void;
  addEventListener(type: 'close' | 'versionchange', listener: () => void): void;
}

/** The used subset of a transaction, upgrades included. */
interface Abortable {
  abort(): void;
  addEventListener(type: 'complete' | 'abort', listener: () => void): void;
}

export interface DatabaseConnection<D extends Closable> {
  /** The open database; waits while the page is hidden, and reopens it after a release. */
  use(): Promise<D>;
  /**
   * Must be called with each new transaction: it is aborted when the page is hidden before it
   * commits, and `onInterrupted` is called. It may then be repeated.
   */
  track(transaction: Abortable, onInterrupted?: () => void): void;
  /** Closes the connection; the next use reopens it. */
  drop(): void;
  /** Closes the connection and removes the page listeners. */
  close(): void;
}

/**
 * One connection to an IndexedDB database. A transaction that has not committed when WebKit puts the
 * page into the back/forward cache is frozen with it and blocks every later one of the origin until
 * the browser ends. So when the page is hidden its transactions are aborted and the connection is
 * closed (in WebKit neither is enough alone), and nothing begins before it is shown. A transaction on
 * which `commit` was called completes without the page.
 */
export function createConnection<D extends Closable>(
  open: () => Promise<D>,
  page?: PageVisits,
): DatabaseConnection<D> {
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
    const current = open().then((db) => {
      const forget = (): void => {
        if (opening === current) opening = database = null;
      };
      db.addEventListener('close', forget);
      // A newer page wants to upgrade: close, and reopen at the next use.
      db.addEventListener('versionchange', () => {
        forget();
        db.close();
      });
      if (opening === current) database = db;
      else db.close();
      return db;
    });
    opening = current;
    current.catch(() => {
      if (opening === current) opening = null;
    });
    return current;
  }

  function interrupt(): void {
    for (const [transaction, onInterrupted] of live) {
      try {
        transaction.abort();
      } catch {
        // Already committing: it completes without the page.
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
        // The page was hidden during the open: that handle is closed.
        if (!isHidden) return db;
      }
    },
    track(transaction, onInterrupted) {
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
