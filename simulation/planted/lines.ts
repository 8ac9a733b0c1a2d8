import { ApiFailure } from '#app/api/failure.ts';
import { readBytes } from '#app/outbox/files.ts';
import type { CallResult, Transport } from '#app/outbox/transport.ts';
import type { UploadState } from '#contract/passing.ts';
import { FILE_CHUNK_BYTES } from '#contract/limits.ts';
import type { PlantedPage, Plant } from '#simulation/plant.ts';

/** Bugs in sending over slow lines. */

type Upload = Transport['uploadChunk'];

const aroundUpload = (change: (upload: Upload, page: PlantedPage) => Upload): Plant => ({
  transport: (page): Transport => ({
    ...page.transport,
    uploadChunk: change(page.transport.uploadChunk, page),
  }),
});

function refuseTimeOut(sent: CallResult<UploadState>): CallResult<UploadState> {
  if (sent.ok || !sent.failure.timedOut) return sent;
  const { method, url } = sent.failure;
  const parts = { kind: 'refused', method, url, status: 422, code: 'FILE_REFUSED' } as const;
  return { ok: false, failure: new ApiFailure(parts) };
}

/** A time-out counts as a refusal of the file. */
export const refusesOnTimeOut = aroundUpload(
  (upload) =>
    async (...call) =>
      refuseTimeOut(await upload(...call)),
);

/** The size doubles after each chunk that arrives, and halves after each that does not. */
export function forgetsWhatFailed(): Plant {
  let size = FILE_CHUNK_BYTES / 2;
  return aroundUpload((upload, { storage }) => async (token, chunk, headers) => {
    const file = await storage.read(['files'], (tx) => tx.get('files', chunk.fileId));
    const to = Math.min(chunk.size, chunk.offset + size);
    const bytes = file && (await readBytes(storage, file, chunk.offset, to));
    const sent = await upload(token, bytes ? { ...chunk, bytes } : chunk, headers);
    size = sent.ok ? Math.min(FILE_CHUNK_BYTES, 2 * size) : Math.max(4_096, size / 2);
    return sent;
  });
}

/** Chunks stay as small as the first one of a bad line. */
export const staysSmall = aroundUpload(
  (upload) => (token, chunk, headers) =>
    upload(token, { ...chunk, bytes: chunk.bytes.slice(0, 4_096) }, headers),
);

/** Chunks that arrive do not reset the count of an answer's failures. */
export const countsDespiteProgress: Plant = {
  storage: (storage) => ({
    ...storage,
    write: (stores, run) =>
      storage.write(stores, (tx) =>
        run({
          ...tx,
          put: async (store, row) => {
            const isReset = 'failures' in row && row.state === 'waiting' && row.failures === 0;
            const former =
              store === 'operations' && isReset
                ? await tx.get('operations', row.operationId)
                : null;
            await tx.put(
              store,
              former && former.failures > 0 ? { ...row, failures: former.failures } : row,
            );
          },
        }),
      ),
  }),
};
