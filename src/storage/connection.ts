/** When the page goes for good or into the back/forward cache, and when it is back. Each gives its end. */
export interface PageVisits {
  onHide(run: () => void): () => void;
  onShow(run: () => void): () => void;
}

/** What a connection needs of a database handle. */
interface Closable {
  close(): void;
  addEventListener(type: 'close' | 'versionchange', listener: () => void): void;
}

export interface Connection<D extends Closable> {
  /** The open database; waits while the page is hidden, opens again where it was let go of. */
  use(): Promise<D>;
  /** Lets go of the connection; the next use opens it again. */
  drop(): void;
  /** Lets go of it, and of the page. */
  close(): void;
}

/**
 * One connection to an IndexedDB database. A transaction begun while WebKit puts the page into the
 * back/forward cache is frozen with it and blocks every later one of the origin until the browser
 * ends. So the connection is closed when the page is hidden, and nothing begins before it is back.
 */
export function createConnection<D extends Closable>(
  open: () => Promise<D>,
  page?: PageVisits,
): Connection<D> {
  let opening: Promise<D> | null = null;
  let database: D | null = null;
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

  const stopHiding = page?.onHide(() => {
    if (!isHidden) {
      shown = new Promise((resolve) => {
        show = resolve;
      });
    }
    isHidden = true;
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
    drop,
    close() {
      stopHiding?.();
      stopShowing?.();
      drop();
    },
  };
}
