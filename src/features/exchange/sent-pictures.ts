import * as v from 'valibot';
import { createFormDraftStore } from '#app/lib/form-draft.ts';
import type { DraftStorage } from '#app/lib/form-draft-storage.ts';

/** The server keeps a picture that no question names for a week; a remembered key must not outlive it. */
const REMEMBERED_MS = 86_400_000;

const Stored = v.object({ since: v.number(), keys: v.record(v.string(), v.string()) });

/** Which pictures of opened files are on the server, so that a repeated import goes on where it stopped. */
export interface SentPictures {
  /** The key of a picture by the digest of its bytes; null: it was not sent. */
  keyOf(digest: string): string | null;
  add(digest: string, key: string): void;
}

/** Those of one person, in this tab: they survive a closed dialog and a reload. */
export function openSentPictures(
  owner: string,
  now = Date.now(),
  storage?: () => DraftStorage,
): SentPictures {
  const store = createFormDraftStore({ kind: 'import', owner }, Stored, storage);
  const read = store.read();
  const isFresh = read !== null && now - read.since < REMEMBERED_MS;
  const since = isFresh ? read.since : now;
  const keys = new Map(isFresh ? Object.entries(read.keys) : []);
  return {
    keyOf: (digest) => keys.get(digest) ?? null,
    add(digest, key) {
      keys.set(digest, key);
      store.save({ since, keys: Object.fromEntries(keys) });
    },
  };
}
