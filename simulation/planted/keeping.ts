import type { AttemptRow } from '#app/storage/rows.ts';
import type { Storage, Transaction } from '#app/storage/storage.ts';
import type { Plant } from '#simulation/plant.ts';
import { deleteOperation } from './sending.ts';

/** Bugs in storing what was written. Each wraps the real storage or outbox. */

/** A transaction with some members replaced. */
function aroundTransactions(
  change: (tx: Transaction) => Partial<Transaction>,
  storage: Storage,
): Storage {
  const changed = (tx: Transaction): Transaction => ({ ...tx, ...change(tx) });
  return {
    ...storage,
    read: (stores, run) => storage.read(stores, (tx) => run(changed(tx))),
    write: (stores, run) => storage.write(stores, (tx) => run(changed(tx))),
  };
}

/** The queue belongs to the device instead of the user. */
export const sendsAsWhoeverIsSignedIn: Plant = {
  // Only plaintext rows of others, as without WebCrypto, can be in the queue.
  outbox: (outbox) => ({
    ...outbox,
    encryptRows: async () => undefined,
    openRows: async () => true,
  }),
  storage: (storage) =>
    aroundTransactions(
      (tx) => ({
        all: async (store, index, value) => {
          if (store !== 'operations' || String(index) !== 'ownerState' || !Array.isArray(value)) {
            return tx.all(store, index, value);
          }
          const rows = await tx.all('operations');
          const [owner, state] = value as [string, string];
          const found = rows.filter((row) => row.state === state).map((row) => ({ ...row, owner }));
          return found as never;
        },
        get: async (store, key) => {
          const row = await tx.get(store, key);
          if (store !== 'operations' || row === null) return row;
          const session = await tx.get('session', 'current').catch(() => null);
          const owner = session?.owner;
          return owner === undefined ? row : { ...row, owner };
        },
      }),
      {
        ...storage,
        write: (stores, run) => storage.write([...stores, 'session'], run),
        read: (stores, run) => storage.read([...stores, 'session'], run),
      },
    ),
};

/** Every page allocates sequences independently. */
export const sequenceOutsideTransaction: Plant = {
  storage: (storage) => {
    const next = new Map<string, number>();
    const counted = (row: AttemptRow): AttemptRow => ({
      ...row,
      streams: row.streams.map((one) => ({
        ...one,
        nextSequence: next.get(one.stream) ?? one.nextSequence,
      })),
    });
    return aroundTransactions(
      (tx) => ({
        get: async (store, key) => {
          const row = await tx.get(store, key);
          if (store !== 'attempts' || row === null) return row;
          const attempt = row as unknown as AttemptRow;
          for (const one of attempt.streams) {
            if (!next.has(one.stream)) next.set(one.stream, one.nextSequence);
          }
          return counted(attempt) as unknown as typeof row;
        },
        put: async (store, row) => {
          if (store === 'attempts') {
            for (const one of (row as unknown as AttemptRow).streams) {
              next.set(one.stream, one.nextSequence);
            }
          }
          await tx.put(store, row);
        },
      }),
      storage,
    );
  },
};

/** The stored attempt is read without the sequences that it has given. */
export const forgetsGivenSequences: Plant = {
  storage: (storage) =>
    aroundTransactions(
      (tx) => ({
        get: async (store, key) => {
          const row = await tx.get(store, key);
          if (store !== 'attempts' || row === null) return row;
          const attempt = row as unknown as AttemptRow;
          const streams = attempt.streams.map((one) => ({ ...one, nextSequence: 1 }));
          return { ...attempt, streams } as unknown as typeof row;
        },
      }),
      storage,
    ),
};

/** A page's last write is not on the disk yet when the page is killed. */
export function relaxedDurability(): Plant {
  const fresh = new Map<string, string>();
  return {
    storage: (storage, device) => {
      const lost = fresh.get(device.label);
      fresh.delete(device.label);
      const ready = lost === undefined ? Promise.resolve() : deleteOperation(storage, lost);
      const noticing = aroundTransactions(
        (tx) => ({
          put: async (store, row) => {
            const written = row as unknown as { operationId?: string; sent?: boolean };
            const isNew = store === 'operations' && written.sent === false;
            if (isNew && written.operationId) fresh.set(device.label, written.operationId);
            await tx.put(store, row);
          },
        }),
        storage,
      );
      return {
        ...noticing,
        read: async (stores, run) => {
          await ready;
          return noticing.read(stores, run);
        },
        write: async (stores, run) => {
          await ready;
          return noticing.write(stores, run);
        },
      };
    },
  };
}

/** An update marks its rows and ignores those of the former app without the mark. */
export const ignoresFormerRows: Plant = {
  removesRows: true,
  storage: (storage, _device, version) => {
    if (version !== 'current') return storage;
    const isMarked = (row: object): boolean => 'marked' in row;
    return aroundTransactions(
      (tx) => ({
        put: (store, row) => tx.put(store, store === 'operations' ? { ...row, marked: true } : row),
        all: async (store, index, value) => {
          const found = await tx.all(store, index, value);
          return store === 'operations' ? found.filter(isMarked) : found;
        },
      }),
      storage,
    );
  },
};

/** A sign-out clears the device. */
export const dropsQueueAtSignOut: Plant = {
  signOut: async (storage) => {
    await storage.write(['operations'], async (tx) => {
      for (const row of await tx.all('operations')) await tx.delete('operations', row.operationId);
    });
  },
};

/** Plaintext rows are deleted, and the ciphertext never reaches the disk. */
export const losesWhatItEncrypts: Plant = {
  storage: (storage) =>
    aroundTransactions(
      (tx) => ({
        put: async (store, row) => {
          if (store !== 'encrypted') await tx.put(store, row);
        },
      }),
      storage,
    ),
};

/** The screen shows only the last reply. */
export const shrinksOnEmptyReply: Plant = {
  removesRows: true,
  outbox: (outbox, { storage }) => ({
    ...outbox,
    adoptSaved: async (attemptId, saved) => {
      const isEmpty = Object.values(saved).every((group) => group.length === 0);
      if (!isEmpty) return outbox.adoptSaved(attemptId, saved);
      await storage.write(['operations', 'contents'], async (tx) => {
        for (const row of await tx.all('operations', 'attempt', attemptId)) {
          if (row.kind === 'answer') await tx.delete('operations', row.operationId);
        }
      });
    },
  }),
};

/** A finish of the deadline stays queued though the time came back. */
export const keepsEarlyFinish: Plant = {
  storage: (storage) => ({
    ...storage,
    write: (stores, run) =>
      storage.write(stores, (tx) =>
        run({
          ...tx,
          put: async (store, row) => {
            const isDropped = 'state' in row && row.state === 'dropped';
            if (store === 'operations' && isDropped) return;
            const isRunning = 'state' in row && row.state === 'running' && 'attemptId' in row;
            const former =
              store === 'attempts' && isRunning ? await tx.get('attempts', row.attemptId) : null;
            if (former?.state !== 'finishing') await tx.put(store, row);
          },
        }),
      ),
  }),
};

/** A page ignores that the browser cleared its rows. */
export const ignoresClearing: Plant = { removesRows: true };
