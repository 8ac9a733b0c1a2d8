import type { Page } from '@playwright/test';

const DATABASE = 'exam-room';

/** An operation row in the device's database, with the fields that journeys read. */
export interface DeviceOperation {
  operationId: string;
  kind: 'answer' | 'finish';
  sequence: number;
  questionId: string | null;
  state: 'waiting' | 'acknowledged' | 'folded' | 'setAside' | 'dropped';
  finishReason: 'student' | 'deadline' | null;
  answer: { text?: string } | null;
}

/** All rows of a store of the device's database, read beside the app. */
async function rowsOf<T>(page: Page, store: string): Promise<T[]> {
  return page.evaluate(
    ([database, name]) =>
      new Promise<T[]>((resolve, reject) => {
        const opening = indexedDB.open(database);
        opening.addEventListener('error', () => reject(new Error(String(opening.error))));
        opening.addEventListener('success', () => {
          const db = opening.result;
          const reading = db.transaction([name]).objectStore(name).getAll();
          reading.addEventListener('error', () => reject(new Error(String(reading.error))));
          reading.addEventListener('success', () => {
            db.close();
            resolve(reading.result as T[]);
          });
        });
      }),
    [DATABASE, store] as const,
  );
}

export const deviceOperations = (page: Page) => rowsOf<DeviceOperation>(page, 'operations');

export const brokenRows = (page: Page) =>
  rowsOf<{ store: string; original: unknown }>(page, 'broken');

/** Writes a row bypassing the app, to simulate damage. */
export async function putRow(page: Page, store: string, row: object): Promise<void> {
  await page.evaluate(
    ([database, name, value]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(database);
        opening.addEventListener('error', () => reject(new Error(String(opening.error))));
        opening.addEventListener('success', () => {
          const db = opening.result;
          const writing = db.transaction([name], 'readwrite');
          writing.objectStore(name).put(value);
          writing.addEventListener('error', () => reject(new Error(String(writing.error))));
          writing.addEventListener('complete', () => {
            db.close();
            resolve();
          });
        });
      }),
    [DATABASE, store, row] as const,
  );
}
