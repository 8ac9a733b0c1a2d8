import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { syncFolder } from '#server/files/sync-folder.ts';
import type { BlobStore } from './blob-store.ts';
import { diskFailure, incomingFolder, storeVerified } from './incoming.ts';

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Blobs in `${dataDir}/blobs/ab/cdef…`, each content once. */
export function diskBlobs(dataDir: string): BlobStore {
  const { receive, sweepIncoming } = incomingFolder(dataDir);
  const root = join(dataDir, 'blobs');
  const pathOf = (sha256: string) => join(root, sha256.slice(0, 2), sha256.slice(2));

  const store: BlobStore = {
    where: root,
    isRemote: false,
    receive,
    sweepIncoming,
    async keep(incoming) {
      const path = pathOf(incoming.sha256);
      const folder = dirname(path);
      try {
        // Set: the folder that was created first.
        const made = await mkdir(folder, { recursive: true, mode: 0o700 });
        // Overwrites an older copy too: the content is the same, and a damaged copy is repaired.
        await rename(incoming.path, path);
        await syncFolder(folder);
        if (made !== undefined) await syncFolder(root);
        if (made === root) await syncFolder(dataDir);
      } catch (error) {
        // Stored already by an earlier try of the same bytes.
        if (isMissing(error) && (await store.has(incoming.sha256))) return;
        throw diskFailure(error);
      }
    },
    async open(sha256) {
      const stream = createReadStream(pathOf(sha256));
      try {
        await once(stream, 'open');
        return stream;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async has(sha256) {
      try {
        return (await stat(pathOf(sha256))).isFile();
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
    put: (sha256, size, bytes) => storeVerified(store, { sha256, size, bytes }),
  };
  return store;
}
