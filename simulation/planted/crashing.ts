import type { OperationRow, StoreName } from '#app/storage/rows.ts';
import type { Storage, Transaction } from '#app/storage/storage.ts';
import type { Plant } from '#simulation/plant.ts';

/** Bugs that show only with a power cut at the wrong moment. Each wraps the real storage. */

type Put = readonly [store: StoreName, row: object];

/**
 * Splits one transaction in two: the writes selected by `isLater` go into a second one. The first one runs `instead` in
 * their place.
 */
function inTwoTransactions(
  isLater: (put: Put) => boolean,
  instead: (tx: Transaction, put: Put) => Promise<void> = async () => undefined,
): Plant {
  return {
    storage: (storage): Storage => ({
      ...storage,
      write: async (stores, run) => {
        const later: Put[] = [];
        const value = await storage.write(stores, (tx) =>
          run({
            ...tx,
            put: async (store, row) => {
              const put: Put = [store, row];
              if (!isLater(put)) return tx.put(store, row);
              later.push(put);
              return instead(tx, put);
            },
          }),
        );
        if (later.length > 0) {
          await storage.write(stores, async (tx) => {
            for (const [store, row] of later) await tx.put(store, row as never);
          });
        }
        return value;
      },
    }),
  };
}

const operationOf = ([store, row]: Put): OperationRow | null =>
  store === 'operations' ? (row as OperationRow) : null;

/** An acknowledged answer is deleted, and then stored again with its receipt. */
export const deletesBeforeReceipt = inTwoTransactions(
  (put) => operationOf(put)?.state === 'acknowledged',
  (tx, [store, row]) => tx.delete(store, (row as OperationRow).operationId),
);

/** The older answer is folded into one that is not stored yet. */
export const foldsBeforeStoring = inTwoTransactions((put) => {
  const operation = operationOf(put);
  return operation?.kind === 'answer' && operation.state === 'waiting' && !operation.sent;
});

/** The answer names a file before its bytes are stored. */
export const bytesAfterAnswer = inTwoTransactions(([store]) => store === 'fileBytes');

/** Plaintext rows are deleted before the ciphertext is stored. */
export const deletesBeforeCipher = inTwoTransactions(([store]) => store === 'encrypted');

/** Reports «saved» when all requests were made, before the transaction has completed. */
export const saysSavedBeforeCommit: Plant = {
  storage: (storage) => ({
    ...storage,
    write: (stores, run) =>
      new Promise((resolve, reject) => {
        storage
          .write(stores, async (tx) => {
            const value = await run(tx);
            resolve(value);
            return value;
          })
          .catch(reject);
      }),
  }),
};
