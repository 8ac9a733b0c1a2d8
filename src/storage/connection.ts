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

/** Transactions that have neither committed nor aborted, with what to call when they are interrupted. */
function createLiveTransactions() {
  const live = new Map<Abortable, (() => void) | undefined>();
  return {
    track(transaction: Abortable, onInterrupted?: () => void): void {
      live.set(transaction, onInterrupted);
      const forget = (): void => void live.delete(transaction);
      transaction.addEventListener('complete', forget);
      transaction.addEventListener('abort', forget);
    },
    interrupt(): void {
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
    },
  };
}

/** Whether the page is hidden, and a promise that resolves when it is shown. */
function watchVisits(page: PageVisits | undefined, onHide: (mayReturn: boolean) => void) {
  let isHidden = false;
  let shown: Promise<void> = Promise.resolve();
  let show: () => void = () => undefined;

  const stopHiding = page?.onHide((mayReturn) => {
    if (!isHidden) {
      shown = new Promise((resolve) => {
        show = resolve;
      });
    }
    isHidden = true;
    onHide(mayReturn);
  });
  const stopShowing = page?.onShow(() => {
    isHidden = false;
    show();
  });
  return {
    isHidden: (): boolean => isHidden,
    shown: (): Promise<void> => shown,
    stop(): void {
      stopHiding?.();
      stopShowing?.();
    },
  };
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
  const live = createLiveTransactions();
  const visits = watchVisits(page, (mayReturn) => {
    if (mayReturn) live.interrupt();
    drop();
  });

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

  return {
    async use() {
      for (;;) {
        await visits.shown();
        const db = await connect();
        // The page was hidden during the open: that handle is closed.
        if (!visits.isHidden()) return db;
      }
    },
    track: live.track,
    drop,
    close() {
      visits.stop();
      drop();
    },
  };
}
