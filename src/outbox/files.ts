import { createModuleLoader } from '#app/lazy/module-loader.ts';
import type { AttemptRow, FileRow, OperationRow } from '#app/storage/rows.ts';
import type { Storage, Transaction } from '#app/storage/storage.ts';
import type { UploadState } from '#contract/passing.ts';
import { afterChunk, afterTimeOut, isTooSlow } from './chunk-size.ts';
import type { Core } from './core.ts';
import { exchange } from './exchange.ts';
import {
  type CallResult,
  type FailureVerdict,
  attemptHeaders,
  classify,
  RETRY_LATER,
} from './transport.ts';
import { streamOf } from './write.ts';
import type { OperationRefusal } from './transition.ts';

/** Files of answers: stored in parts, uploaded in chunks, resumed at the end of the last upload. */

/** Bytes are stored in parts of at most this size, so that no row is too large to copy. */
export const PART_BYTES = 1024 * 1024;

/** Bytes from `from` (inclusive) to `to` (exclusive). Null: they are not on the device. */
async function bytesIn(
  tx: Transaction,
  file: FileRow,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(to - from);
  for (let part = Math.floor(from / PART_BYTES); part * PART_BYTES < to; part += 1) {
    const row = await tx.get('fileBytes', [file.fileId, part]);
    if (!row) return null;
    const start = part * PART_BYTES;
    const piece = new Uint8Array(row.bytes).subarray(Math.max(0, from - start), to - start);
    bytes.set(piece, Math.max(0, start - from));
  }
  return bytes;
}

export function readBytes(
  storage: Storage,
  file: FileRow,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  return storage.read(['fileBytes'], (tx) => bytesIn(tx, file, from, to));
}

/** A whole file of this device, for display. */
export async function fileBytes(
  core: Core,
  fileId: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const read = async (tx: Transaction): Promise<Uint8Array<ArrayBuffer> | null> => {
    const file = await tx.get('files', fileId);
    return file && bytesIn(tx, file, 0, file.size);
  };
  return core.storage.readEither(['files', 'fileBytes'], read);
}

const loadHashes = createModuleLoader(() => import('@noble/hashes/sha2.js'));

const findWebCrypto = (): SubtleCrypto | undefined => globalThis.crypto?.subtle;

/** Loads the code of `sha256Hex` ahead of time: the network may be gone when a file is picked. */
export function preloadHashes(): void {
  if (!findWebCrypto()) loadHashes().catch(() => undefined);
}

/** Lower-case hex of SHA-256: WebCrypto, or plain JavaScript where the context is not secure. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const subtle = findWebCrypto();
  if (subtle) return hex(new Uint8Array(await subtle.digest('SHA-256', bytes)));
  const { sha256 } = await loadHashes();
  return hex(sha256(bytes));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A file is set aside after arriving damaged this many times. */
const MISMATCHES = 3;

export const FILE_LOST = {
  status: 0,
  code: 'FILE_LOST',
  message: 'Файла больше нет на устройстве. Выберите его снова',
};

export const FILE_STUCK = {
  status: 0,
  code: 'FILE_STUCK',
  message: 'Файл не удалось отправить',
};

/** Result of one exchange about a file. */
export type UploadStep =
  | { readonly kind: 'progress' }
  | { readonly kind: 'failed'; readonly verdict: FailureVerdict }
  | {
      readonly kind: 'refused';
      readonly refusal: OperationRefusal;
    };

const PROGRESS: UploadStep = { kind: 'progress' };
const STUCK: UploadStep = {
  kind: 'failed',
  verdict: RETRY_LATER,
};

/** The stored file, if it is still needed. */
async function readCurrent(
  core: Core,
  file: FileRow,
  operation: OperationRow | null,
): Promise<{ file: FileRow; attempt: AttemptRow | null } | null> {
  // Another operation than the one that stored the file may need it, from the other layer.
  const now =
    operation &&
    (await core.storage
      .layerOf(operation.operationId)
      .read(['operations'], (tx) => tx.get('operations', operation.operationId)));
  const storage = core.storage.layerOf(file.operationId);
  return storage.read(['files', 'attempts'], async (tx) => {
    const row = await tx.get('files', file.fileId);
    const attempt = await tx.get('attempts', file.attemptId);
    const isPending = row?.state === 'unchecked' || row?.state === 'uploading';
    const isNeeded = row?.wanted === true || now?.state === 'waiting';
    return row && isPending && isNeeded ? { file: row, attempt } : null;
  });
}

async function updateFile(core: Core, file: FileRow, changes: Partial<FileRow>): Promise<void> {
  await core.storage.layerOf(file.operationId).write(['files'], async (tx) => {
    const row = await tx.get('files', file.fileId);
    if (row) await tx.put('files', { ...row, ...changes });
  });
}

/**
 * Makes one exchange: reads the upload state, or sends the next chunk.
 * @param operation the answer that needs the file; null: the server requested it again
 */
export async function uploadStep(
  core: Core,
  token: string,
  wanted: FileRow,
  operation: OperationRow | null,
): Promise<UploadStep> {
  const now = await readCurrent(core, wanted, operation);
  if (!now) return PROGRESS;
  const { file, attempt } = now;
  const head = ((attempt && streamOf(attempt, file.stream)?.nextSequence) ?? 1) - 1;
  const headers = attemptHeaders(file.stream, head);
  if (file.state === 'unchecked') return readState(core, token, file, attempt, headers);
  const to = Math.min(file.size, file.received + core.runtime.chunkSize.bytes);
  const bytes = await readBytes(core.storage.layerOf(file.operationId), file, file.received, to);
  if (!bytes) return { kind: 'refused', refusal: FILE_LOST };
  const { attemptId, fileId, questionId, size, sha256, name, mimeType } = file;
  const chunk = { attemptId, fileId, questionId, size, sha256, name, mimeType };
  const { transport, clock } = core.env;
  let elapsedMs = 0;
  const sent = await exchange(core, attempt, async () => {
    const startedAt = clock.monotone();
    const reply = await transport.uploadChunk(
      token,
      { ...chunk, offset: file.received, bytes },
      headers,
    );
    elapsedMs = clock.monotone() - startedAt;
    return reply;
  });
  adaptChunkSize(core, sent, bytes.length, elapsedMs);
  return applyChunkReply(core, file, sent);
}

function adaptChunkSize(
  core: Core,
  sent: CallResult<UploadState>,
  bytes: number,
  elapsedMs: number,
): void {
  const { runtime } = core;
  if (sent.ok) runtime.chunkSize = afterChunk(runtime.chunkSize, bytes, elapsedMs);
  const verdict = sent.ok ? null : classify(sent.failure);
  if (verdict?.kind === 'retry' && isTooSlow(verdict.timedOut, elapsedMs)) {
    runtime.chunkSize = afterTimeOut(runtime.chunkSize, bytes);
  }
}

async function readState(
  core: Core,
  token: string,
  file: FileRow,
  attempt: AttemptRow | null,
  headers: Record<string, string>,
): Promise<UploadStep> {
  const sent = await exchange(core, attempt, () =>
    core.env.transport.getUpload(token, file.attemptId, file.fileId, headers),
  );
  if (sent.ok) return applyState(core, file, sent.value);
  const verdict = classify(sent.failure);
  if (verdict.kind === 'setAside' && verdict.status === 404) {
    await updateFile(core, file, { state: 'uploading', received: 0 });
    return PROGRESS;
  }
  return verdict.kind === 'setAside' ? refusedBy(verdict) : { kind: 'failed', verdict };
}

async function applyChunkReply(
  core: Core,
  file: FileRow,
  sent: CallResult<UploadState>,
): Promise<UploadStep> {
  if (sent.ok) return applyState(core, file, sent.value);
  const verdict = classify(sent.failure);
  if (verdict.kind === 'outOfPlace') {
    const received = Math.min(verdict.received, file.size);
    // The server may already have the whole file, with only the reply lost.
    await updateFile(core, file, received === file.size ? { state: 'unchecked' } : { received });
    return received > file.received ? PROGRESS : STUCK;
  }
  if (verdict.kind === 'mismatch') return restartDamaged(core, file, sent.failure);
  // After a restore the answer recreates the attempt and may still be in flight.
  if (verdict.kind === 'setAside' && verdict.status === 404 && file.wanted) return STUCK;
  return verdict.kind === 'setAside' ? refusedBy(verdict) : { kind: 'failed', verdict };
}

async function restartDamaged(
  core: Core,
  file: FileRow,
  failure: { status: number | undefined; code: string | undefined; message: string },
): Promise<UploadStep> {
  const mismatches = file.mismatches + 1;
  await updateFile(core, file, { mismatches, received: 0 });
  if (mismatches < MISMATCHES) return STUCK;
  const { status = 422, code = 'CHECKSUM_MISMATCH', message } = failure;
  return { kind: 'refused', refusal: { status, code, message } };
}

async function applyState(core: Core, file: FileRow, state: UploadState): Promise<UploadStep> {
  if (state.fileId !== file.fileId) return STUCK;
  if (state.complete) {
    await updateFile(core, file, { state: 'complete', received: file.size, wanted: false });
    return PROGRESS;
  }
  const received = Math.min(state.received, file.size);
  const isStuck = file.state === 'uploading' && received <= file.received;
  await updateFile(core, file, { state: 'uploading', received });
  return isStuck ? STUCK : PROGRESS;
}

const refusedBy = ({
  status,
  code,
  message,
}: FailureVerdict & { kind: 'setAside' }): UploadStep => ({
  kind: 'refused',
  refusal: { status, code, message },
});

/** Sets the file aside: the finish declares it, and the caller sets its answer aside. */
export async function setFileAside(
  core: Core,
  file: FileRow,
  refusal: OperationRefusal,
): Promise<void> {
  await updateFile(core, file, { state: 'setAside', wanted: false, refusal });
}
