import { FILE_CHUNK_BYTES } from '#contract/limits.ts';
import type { UploadState } from '#contract/passing.ts';
import type { AttemptRow, FileRow } from '#app/storage/rows.ts';
import { classify, type Verdict } from './classify.ts';
import type { Core } from './core.ts';
import { exchange } from './exchange.ts';
import { readBytes } from './files.ts';
import { attemptHeaders } from './headers.ts';
import { streamOf } from './write.ts';
import type { Sent } from './transport.ts';

const SMALLEST_CHUNK_BYTES = 16 * 1024;
/** Times a file may arrive damaged before it is set aside. */
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

/** What one exchange about a file came to. */
export type UploadStep =
  | { readonly kind: 'progress' }
  | { readonly kind: 'failed'; readonly verdict: Verdict }
  | {
      readonly kind: 'refused';
      readonly refusal: { status: number; code: string; message: string };
    };

const PROGRESS: UploadStep = { kind: 'progress' };
const STUCK: UploadStep = {
  kind: 'failed',
  verdict: { kind: 'retry', cause: 'server', timedOut: false, waitMs: null },
};

/** The file as stored now, if it is still needed. */
async function current(
  core: Core,
  file: FileRow,
): Promise<{ file: FileRow; attempt: AttemptRow | null } | null> {
  const storage = core.storageOf(file.operationId);
  return storage.read(['files', 'operations', 'attempts'], async (tx) => {
    const row = await tx.get('files', file.fileId);
    const attempt = await tx.get('attempts', file.attemptId);
    const operation = await tx.get('operations', file.operationId);
    const isUnderWay = row?.state === 'unchecked' || row?.state === 'uploading';
    const isNeeded = row?.wanted === true || operation?.state === 'waiting';
    return row && isUnderWay && isNeeded ? { file: row, attempt } : null;
  });
}

async function change(core: Core, file: FileRow, changes: Partial<FileRow>): Promise<void> {
  await core.storageOf(file.operationId).write(['files'], async (tx) => {
    const row = await tx.get('files', file.fileId);
    if (row) await tx.put('files', { ...row, ...changes });
  });
}

/** Asks what the server has, or sends the next part; one exchange. */
export async function uploadStep(core: Core, token: string, wanted: FileRow): Promise<UploadStep> {
  const now = await current(core, wanted);
  if (!now) return PROGRESS;
  const { file, attempt } = now;
  const head = ((attempt && streamOf(attempt, file.stream)?.nextSequence) ?? 1) - 1;
  const headers = attemptHeaders(file.stream, head);
  if (file.state === 'unchecked') return ask(core, token, file, attempt, headers);
  const to = Math.min(file.size, file.received + core.runtime.chunkBytes);
  const bytes = await readBytes(core.storageOf(file.operationId), file, file.received, to);
  if (!bytes) return { kind: 'refused', refusal: FILE_LOST };
  const { attemptId, fileId, questionId, size, sha256, name, mimeType } = file;
  const chunk = { attemptId, fileId, questionId, size, sha256, name, mimeType };
  const sent = await exchange(core, attempt, () =>
    core.env.transport.uploadChunk(token, { ...chunk, offset: file.received, bytes }, headers),
  );
  return afterChunk(core, file, sent);
}

async function ask(
  core: Core,
  token: string,
  file: FileRow,
  attempt: AttemptRow | null,
  headers: Record<string, string>,
): Promise<UploadStep> {
  const sent = await exchange(core, attempt, () =>
    core.env.transport.getUpload(token, file.attemptId, file.fileId, headers),
  );
  if (sent.ok) return taken(core, file, sent.value);
  const verdict = classify(sent.failure);
  if (verdict.kind === 'setAside' && verdict.status === 404) {
    await change(core, file, { state: 'uploading', received: 0 });
    return PROGRESS;
  }
  return verdict.kind === 'setAside' ? refusedBy(verdict) : { kind: 'failed', verdict };
}

async function afterChunk(core: Core, file: FileRow, sent: Sent<UploadState>): Promise<UploadStep> {
  const { runtime } = core;
  if (sent.ok) {
    runtime.chunkBytes = Math.min(FILE_CHUNK_BYTES, runtime.chunkBytes * 2);
    return taken(core, file, sent.value);
  }
  const verdict = classify(sent.failure);
  if (verdict.kind === 'retry' && verdict.timedOut) {
    runtime.chunkBytes = Math.max(SMALLEST_CHUNK_BYTES, runtime.chunkBytes / 2);
  }
  if (verdict.kind === 'outOfPlace') {
    const received = Math.min(verdict.received, file.size);
    // It may have the whole already, with only the reply lost.
    await change(core, file, received === file.size ? { state: 'unchecked' } : { received });
    return received > file.received ? PROGRESS : STUCK;
  }
  if (verdict.kind === 'mismatch') return damaged(core, file, sent.failure);
  // After a restore the attempt is made again by the answer, which may still be on its way.
  if (verdict.kind === 'setAside' && verdict.status === 404 && file.wanted) return STUCK;
  return verdict.kind === 'setAside' ? refusedBy(verdict) : { kind: 'failed', verdict };
}

async function damaged(
  core: Core,
  file: FileRow,
  failure: { status: number | undefined; code: string | undefined; message: string },
): Promise<UploadStep> {
  const mismatches = file.mismatches + 1;
  await change(core, file, { mismatches, received: 0 });
  if (mismatches < MISMATCHES) return STUCK;
  const { status = 422, code = 'CHECKSUM_MISMATCH', message } = failure;
  return { kind: 'refused', refusal: { status, code, message } };
}

async function taken(core: Core, file: FileRow, state: UploadState): Promise<UploadStep> {
  if (state.fileId !== file.fileId) return STUCK;
  if (state.complete) {
    await change(core, file, { state: 'complete', received: file.size, wanted: false });
    return PROGRESS;
  }
  const received = Math.min(state.received, file.size);
  const isStuck = file.state === 'uploading' && received <= file.received;
  await change(core, file, { state: 'uploading', received });
  return isStuck ? STUCK : PROGRESS;
}

const refusedBy = ({ status, code, message }: Verdict & { kind: 'setAside' }): UploadStep => ({
  kind: 'refused',
  refusal: { status, code, message },
});

/** Given up: the finish names it, and the answer that waits for it is set aside by the caller. */
export async function giveUpFile(
  core: Core,
  file: FileRow,
  refusal: { status: number; code: string; message: string },
): Promise<void> {
  await change(core, file, { state: 'setAside', wanted: false, refusal });
}
