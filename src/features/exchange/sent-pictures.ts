import * as v from 'valibot';
import { createFormDraftStore } from '#app/lib/form-draft.ts';
import type { DraftStorage } from '#app/lib/form-draft-storage.ts';

/** The server deletes a picture without a question after a week; a remembered key must not live longer. */
const REMEMBERED_MS = 86_400_000;

const Stored = v.object({ since: v.number(), keys: v.record(v.string(), v.string()) });

/** Remembers which pictures of opened files are on the server, so that a repeated import continues where it stopped. */
export interface SentPictures {
  /** The server's key of a picture, by the digest of its bytes; null: it was not sent. */
  keyOf(digest: string): string | null;
  add(digest: string, key: string): void;
}

/** The sent pictures of one person in this tab. They survive a closed dialog and a reload. */
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
