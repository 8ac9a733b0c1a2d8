import { deleteDrafts, testsWithDrafts } from '#app/storage/draft-database.ts';
import { hasDraftDatabase } from '#app/storage/encrypt-drafts.ts';
import type { Storage } from '#app/storage/storage.ts';
import { logProblem } from '#app/lib/log.ts';
import { postAbandoned } from './abandoned.ts';
import { draftOf, openDrafts } from './open-draft.ts';

/** Edits of a person in this browser that the server does not have, in open screens and closed tabs. */
export interface UnsentDrafts {
  /** Number of tests. */
  readonly count: number;
  /** Whether they can stay here encrypted. */
  readonly canStay: boolean;
}

async function storedTests(owner: string): Promise<string[]> {
  if (!(await hasDraftDatabase(window.indexedDB))) return [];
  return testsWithDrafts(owner);
}

async function hasKey(storage: Storage, owner: string): Promise<boolean> {
  const found = await storage
    .read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner))
    .catch(() => null);
  return found !== null;
}

export async function readUnsentDrafts(owner: string, storage: Storage): Promise<UnsentDrafts> {
  const unsent = openDrafts().filter((draft) => draft.hasUnsent());
  const stored = await storedTests(owner).catch((cause: unknown) => {
    logProblem('Правки на устройстве не прочитать', { cause });
    return [];
  });
  const count = new Set([...stored, ...unsent.map(({ testId }) => testId)]).size;
  const isInMemory = unsent.some((draft) => draft.isAtRisk());
  return { count, canStay: !isInMemory && (await hasKey(storage, owner)) };
}

/** Sends everything that can be sent. Throws the first failure. */
export async function sendDrafts(owner: string, storage: Storage): Promise<void> {
  const failures: unknown[] = [];
  const open = new Set(openDrafts().map(({ testId }) => testId));
  for (const testId of new Set([...open, ...(await storedTests(owner))])) {
    const draft = draftOf(testId, storage);
    await draft.send().catch((error: unknown) => failures.push(error));
    if (!open.has(testId)) await draft.close();
  }
  if (failures.length > 0) throw failures[0];
}

/** Deletes what the server does not have, in other tabs too. */
export async function abandonDrafts(owner: string): Promise<void> {
  postAbandoned(owner);
  await Promise.all(openDrafts().map((draft) => draft.abandon()));
  if (await hasDraftDatabase(window.indexedDB)) await deleteDrafts(owner);
}
