import type { PoolClient } from 'pg';
import { FILE_CHUNK_BYTES } from '#contract/limits.ts';
import type { UploadState } from '#contract/passing.ts';
import { maxFilesOf } from '#domain/answer-files.ts';
import { fileProblem } from '#domain/accepted-file.ts';
import { servedType } from '#domain/file-types.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { detectedType } from '#server/files/detected-type.ts';
import { requireRoomForFiles } from '#server/files/disk-reserve.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Attempt } from './attempt.ts';
import { loadContent } from './content.ts';
import { settleEarlyFinish } from './finish.ts';
import { isLost, storeHandedIn } from './handed-in.ts';
import { requireUploadAllowance } from './upload-allowance.ts';
import type { UploadStore } from './upload-store.ts';

const NO_ROOM =
  'На сервере заканчивается место: файл ждёт на устройстве и уйдёт сам, когда место появится. Ответы сохраняются. Сообщите преподавателю';

export interface UploadChunk {
  readonly fileId: string;
  readonly questionId: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
  readonly offset: number;
  readonly bytes: Buffer;
}

interface Upload {
  readonly id: string;
  readonly attemptId: string;
  readonly size: number;
  readonly sha256: string;
  readonly received: number;
  readonly completedAt: Date | null;
}

const COLUMNS = `id, attempt_id as "attemptId", size, sha256, received, completed_at as "completedAt"`;

const stateOf = (upload: Upload): UploadState => ({
  fileId: upload.id,
  received: upload.received,
  size: upload.size,
  complete: upload.completedAt !== null,
});

async function lockUpload(client: PoolClient, id: string): Promise<Upload | null> {
  return one<Upload>(client, `select ${COLUMNS} from uploads where id = $1 for update`, [id]);
}

async function beginUpload(
  client: PoolClient,
  deps: Deps,
  attempt: Attempt,
  chunk: UploadChunk,
  now: Date,
): Promise<void> {
  const content = await loadContent(client, attempt.contentId);
  const question = content.byId.get(chunk.questionId);
  if (question?.kind !== 'file') {
    throw new Refusal('FILE_REFUSED', { message: 'К этому вопросу файл не прикладывают' });
  }
  const problem = fileProblem(chunk, question);
  if (problem !== null) throw new Refusal('FILE_REFUSED', { message: problem });
  const maxFiles = new Map(
    [...content.byId.values()].flatMap((one) =>
      one.kind === 'file' ? [[one.questionId, maxFilesOf(one)] as const] : [],
    ),
  );
  await requireUploadAllowance(client, deps.settings.limits, attempt, chunk, maxFiles, now);
  await execute(
    client,
    `insert into uploads (id, attempt_id, question_id, name, mime_type, size, sha256, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8) on conflict do nothing`,
    [
      chunk.fileId,
      attempt.id,
      chunk.questionId,
      chunk.name,
      chunk.mimeType,
      chunk.size,
      chunk.sha256,
      now,
    ],
  );
}

/** Restarts the upload: no byte counts as received. */
async function restart(client: PoolClient, store: UploadStore, id: string): Promise<void> {
  await store.discard(id);
  await execute(client, 'update uploads set received = 0 where id = $1', [id]);
}

/** The same upload, restarted when the bytes of a complete one are missing, as after a restore. */
async function withBytes(client: PoolClient, upload: Upload, lost: boolean): Promise<Upload> {
  if (upload.completedAt === null || !lost) return upload;
  await execute(client, 'update uploads set received = 0, completed_at = null where id = $1', [
    upload.id,
  ]);
  return { ...upload, received: 0, completedAt: null };
}

/**
 * Stores bytes of a file at an offset; repeats are harmless. The file is complete when all bytes have arrived and the
 * checksum matches; a wrong one restarts it.
 * @throws {Refusal} CHUNK_OUT_OF_PLACE with what was received, CHECKSUM_MISMATCH, FILE_REFUSED, TOO_MANY_FILES before
 * anything is written, STORAGE_FULL while the disk has no room for files
 */
export async function receiveChunk(
  deps: Deps,
  store: UploadStore,
  attempt: Attempt,
  chunk: UploadChunk,
  now: Date,
): Promise<UploadState> {
  // Before the upload is locked: a slow store must not occupy a connection.
  const lost = await isLost(deps, store, chunk.fileId);
  const outcome = await transaction(deps.pool, async (client): Promise<Outcome> => {
    let upload = await lockUpload(client, chunk.fileId);
    if (!upload) {
      await beginUpload(client, deps, attempt, chunk, now);
      upload = await lockUpload(client, chunk.fileId);
    }
    if (!upload || upload.attemptId !== attempt.id) throw new Refusal('NOT_FOUND');
    upload = await withBytes(client, upload, lost);
    if (upload.size !== chunk.size || upload.sha256 !== chunk.sha256) {
      throw new Refusal('FILE_REFUSED', { message: 'Под этим номером уже отправлен другой файл' });
    }
    const end = chunk.offset + chunk.bytes.length;
    if (end <= upload.received) return stateOf(upload);
    if (chunk.offset > upload.received || end > upload.size) {
      return new Refusal('CHUNK_OUT_OF_PLACE', { details: { received: upload.received } });
    }
    await requireRoomForFiles(deps, NO_ROOM);
    if (!(await store.write(chunk.fileId, chunk.offset, chunk.bytes))) {
      await restart(client, store, chunk.fileId);
      return new Refusal('CHUNK_OUT_OF_PLACE', { details: { received: 0 } });
    }
    const written = { ...upload, received: end };
    if (end === upload.size) {
      const whole = await judgeWhole(client, store, written);
      if (whole instanceof Refusal || deps.blobs.isRemote) return whole;
      await store.complete(upload.id);
      return promise(client, whole, now);
    }
    await execute(client, 'update uploads set received = $2, updated_at = $3 where id = $1', [
      chunk.fileId,
      end,
      now,
    ]);
    return stateOf(written);
  });
  if (outcome instanceof Refusal) throw outcome;
  const state = 'upload' in outcome ? await completeRemotely(deps, store, outcome, now) : outcome;
  if (state.complete && attempt.ended !== 'finished')
    await settleEarlyFinish(deps, attempt.id, now);
  return state;
}

/** All bytes have arrived and match; not acknowledged yet. */
interface CompleteUpload {
  readonly upload: Upload;
  readonly mimeType: string;
}
type Outcome = UploadState | Refusal | CompleteUpload;

async function judgeWhole(
  client: PoolClient,
  store: UploadStore,
  upload: Upload,
): Promise<CompleteUpload | Refusal> {
  if ((await store.sha256(upload.id)) !== upload.sha256) {
    await restart(client, store, upload.id);
    return new Refusal('CHECKSUM_MISMATCH');
  }
  // Its content only decides which parts of it may be shown.
  return { upload, mimeType: servedType(await detectedType(await store.head(upload.id))) };
}

/** Counts an upload with durable bytes as complete. */
async function promise(
  client: PoolClient,
  { upload, mimeType }: CompleteUpload,
  now: Date,
): Promise<UploadState> {
  const promised = await execute(
    client,
    `update uploads set received = size, updated_at = $2, mime_type = $3,
       completed_at = coalesce(completed_at, $2) where id = $1`,
    [upload.id, now, mimeType],
  );
  if (promised === 0) throw new Refusal('NOT_FOUND');
  return stateOf({ ...upload, received: upload.size, completedAt: now });
}

/**
 * The bytes go to the remote store before anything is acknowledged, and no connection waits for it. Until then
 * the last part does not count as received: an interrupted device sends it again.
 */
async function completeRemotely(
  deps: Deps,
  store: UploadStore,
  whole: CompleteUpload,
  now: Date,
): Promise<UploadState> {
  await storeHandedIn(deps, store, whole.upload, now);
  const state = await transaction(deps.pool, (client) => promise(client, whole, now));
  await store.discard(whole.upload.id);
  return state;
}

/** The received part of an upload of this attempt. A file with missing bytes starts over. */
export async function uploadState(
  deps: Deps,
  store: UploadStore,
  attempt: Attempt,
  fileId: string,
): Promise<UploadState> {
  const lost = await isLost(deps, store, fileId);
  return transaction(deps.pool, async (client) => {
    const upload = await lockUpload(client, fileId);
    if (!upload || upload.attemptId !== attempt.id) throw new Refusal('NOT_FOUND');
    return stateOf(await withBytes(client, upload, lost));
  });
}

/**
 * Stores a whole file as if its device had sent it, part by part.
 * @throws {Refusal} as `receiveChunk`, and CHECKSUM_MISMATCH when the bytes are fewer than the file's
 */
export async function receiveWholeFile(
  deps: Deps,
  store: UploadStore,
  attempt: Attempt,
  file: Omit<UploadChunk, 'offset'>,
  now: Date,
): Promise<void> {
  const { bytes } = file;
  let complete = false;
  let offset = 0;
  // At least once: the rules of a chunk refuse an empty file.
  do {
    const part = bytes.subarray(offset, offset + FILE_CHUNK_BYTES);
    ({ complete } = await receiveChunk(
      deps,
      store,
      attempt,
      { ...file, offset, bytes: part },
      now,
    ));
    offset += FILE_CHUNK_BYTES;
  } while (offset < bytes.length && !complete);
  if (!complete) throw new Refusal('CHECKSUM_MISMATCH');
}
