import { FILE_BYTES, FILE_NAME_CHARACTERS } from '#contract/limits.ts';
import { fileProblem } from '#domain/accepted-file.ts';
import type { FileRow } from '#app/storage/rows.ts';
import type { Storage, Transaction } from '#app/storage/storage.ts';
import type { Core } from './core.ts';
import { sha256Hex } from './hash.ts';
import { contentOf } from './content.ts';
import { OutboxRefusal, type FileToAdd, type StoredOperation } from './types.ts';
import { writeAnswer } from './write.ts';

/** Bytes lie in parts of at most this size: no single row becomes too large to copy. */
const PART_BYTES = 1024 * 1024;

function partsOf(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer[] {
  const parts: ArrayBuffer[] = [];
  for (let at = 0; at < bytes.byteLength; at += PART_BYTES) {
    parts.push(bytes.slice(at, at + PART_BYTES).buffer);
  }
  return parts;
}

/** The question that a file is for, as the device keeps it; null: not here, and the server judges. */
async function fileQuestion(core: Core, attemptId: string, questionId: string) {
  const content = await contentOf(core, attemptId);
  const question = content?.questions.find((one) => one.questionId === questionId);
  return question?.kind === 'file' ? question : null;
}

/**
 * Stores bytes, their checksum and the answer that names them, in one transaction. What the server would
 * not take is refused before: nothing of it is ever shown as saved.
 */
export async function addFile(
  core: Core,
  attemptId: string,
  questionId: string,
  file: FileToAdd,
): Promise<StoredOperation> {
  const { bytes, mimeType } = file;
  const name = file.name.slice(-FILE_NAME_CHARACTERS) || 'file';
  const size = bytes.byteLength;
  const question = await fileQuestion(core, attemptId, questionId);
  const rules = question ?? { accept: [], maxBytes: FILE_BYTES };
  const problem = fileProblem({ name, mimeType, size }, rules);
  if (problem !== null) throw new OutboxRefusal('fileRefused', problem);
  const sha256 = await (core.env.digest ?? sha256Hex)(bytes);
  const fileId = core.env.newId();
  const row: Omit<FileRow, 'stream' | 'owner' | 'operationId'> = {
    fileId,
    attemptId,
    questionId,
    name,
    size,
    mimeType: mimeType.slice(0, 200),
    sha256,
    state: 'uploading',
    received: 0,
    wanted: false,
    mismatches: 0,
    refusal: null,
  };
  return writeAnswer(
    core,
    attemptId,
    { questionId, kind: 'file', fileId, name, size, mimeType: row.mimeType, sha256 },
    { row, parts: partsOf(bytes) },
  );
}

/** Bytes `from` (included) to `to` (excluded). Null: they are not on the device. */
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

/** A whole file of this device, for showing it. */
export async function fileBytes(
  core: Core,
  fileId: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const read = async (tx: Transaction): Promise<Uint8Array<ArrayBuffer> | null> => {
    const file = await tx.get('files', fileId);
    return file && bytesIn(tx, file, 0, file.size);
  };
  const stored = await core.main.read(['files', 'fileBytes'], read).catch(() => null);
  return stored ?? core.overflow.read(['files', 'fileBytes'], read);
}
