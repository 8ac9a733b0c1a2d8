import type { AnswerFile } from '#contract/answers.ts';
import { FILE_BYTES, FILE_NAME_CHARACTERS } from '#contract/limits.ts';
import { fileProblem } from '#domain/accepted-file.ts';
import { answerFiles, fileAnswer, maxFilesOf } from '#domain/answer-files.ts';
import type { FileRow } from '#app/storage/rows.ts';
import type { Core } from './core.ts';
import { PART_BYTES, sha256Hex } from './files.ts';
import { type FileToAdd, OutboxRefusal, type StoredOperation } from './types.ts';
import { snapshot } from './view.ts';
import { type NewFile, writeAnswer } from './write.ts';

/** The answer to a question with files: each change of its list is a new answer. */

/** Changes the list of an answer's files. */
export type ChangeFiles = (files: readonly AnswerFile[]) => readonly AnswerFile[];

/** Where a new file is placed among those of the answer. */
export type PlaceFile = (files: readonly AnswerFile[], added: AnswerFile) => readonly AnswerFile[];

function partsOf(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer[] {
  const parts: ArrayBuffer[] = [];
  for (let at = 0; at < bytes.byteLength; at += PART_BYTES) {
    parts.push(bytes.slice(at, at + PART_BYTES).buffer);
  }
  return parts;
}

/** The cached question of a file's answer; null when it is not cached and only the server can check it. */
async function fileQuestion(core: Core, attemptId: string, questionId: string) {
  const content = await core.storage.readEither(['contents'], (tx) =>
    tx.get('contents', attemptId),
  );
  const question = content?.questions.find((one) => one.questionId === questionId);
  return question?.kind === 'file' ? question : null;
}

/** Serializes the changes: each is made to the result of the previous one. */
const turns = new WeakMap<Core, Promise<unknown>>();

function inTurn<T>(core: Core, task: () => Promise<T>): Promise<T> {
  const before = turns.get(core) ?? Promise.resolve();
  const turn = before.then(task, task);
  turns.set(
    core,
    turn.catch(() => undefined),
  );
  return turn;
}

interface NamedFile extends AnswerFile {
  readonly attemptId: string;
  readonly questionId: string;
}

const newRow = (file: NamedFile): NewFile['row'] => ({
  fileId: file.fileId,
  attemptId: file.attemptId,
  questionId: file.questionId,
  name: file.name,
  size: file.size,
  mimeType: file.mimeType,
  sha256: file.sha256,
  state: 'uploading',
  received: 0,
  wanted: false,
  mismatches: 0,
  refusal: null,
});

/** A file that another device sent: the server has it, and this device only references it. */
const foreignRow = (file: NamedFile): NewFile['row'] => ({
  ...newRow(file),
  state: 'complete',
  received: file.size,
});

async function writeFiles(
  core: Core,
  attemptId: string,
  questionId: string,
  change: ChangeFiles,
  added: NewFile | null,
): Promise<StoredOperation> {
  const view = await snapshot(core, attemptId);
  const current = view?.answers.find((one) => one.questionId === questionId)?.answer;
  const files = change(answerFiles(current));
  const rows = await Promise.all(
    files.map((file) =>
      core.storage.readEither<FileRow>(['files'], (tx) => tx.get('files', file.fileId)),
    ),
  );
  const foreign = files.flatMap((file, at): NewFile[] =>
    rows[at] || file.fileId === added?.row.fileId
      ? []
      : [{ row: foreignRow({ attemptId, questionId, ...file }), parts: [] }],
  );
  const stored = await writeAnswer(
    core,
    attemptId,
    fileAnswer(questionId, files),
    added ? [...foreign, added] : foreign,
  );
  const areSaved = rows.every((row) => !row || !core.storage.unsaved.has(row.operationId));
  return { ...stored, saved: stored.saved && areSaved };
}

/** Stores an answer with a changed list of files: one file less, or another order. */
export const changeFiles = (
  core: Core,
  attemptId: string,
  questionId: string,
  change: ChangeFiles,
): Promise<StoredOperation> =>
  inTurn(core, () => writeFiles(core, attemptId, questionId, change, null));

/**
 * Stores bytes, their checksum and the answer that names them, in one transaction. A file that the server
 * would refuse is refused first, so that it is never shown as saved.
 */
export async function addFile(
  core: Core,
  attemptId: string,
  questionId: string,
  file: FileToAdd,
  place: PlaceFile,
): Promise<StoredOperation & { readonly fileId: string }> {
  const { bytes, mimeType } = file;
  const name = file.name.slice(-FILE_NAME_CHARACTERS) || 'file';
  const size = bytes.byteLength;
  const question = await fileQuestion(core, attemptId, questionId);
  const rules = question ?? { accept: [], maxBytes: FILE_BYTES };
  const problem = fileProblem({ name, mimeType, size }, rules);
  if (problem !== null) throw new OutboxRefusal('fileRefused', problem);
  const sha256 = await (core.env.digest ?? sha256Hex)(bytes);
  const fileId = core.env.newId();
  const added = { fileId, name, size, mimeType: mimeType.slice(0, 200), sha256 };
  const change: ChangeFiles = (files) => {
    const next = place(files, added);
    const most = question ? maxFilesOf(question) : next.length;
    if (next.length <= most) return next;
    throw new OutboxRefusal('fileRefused', tooManyFilesMessage(most));
  };
  const row = newRow({ attemptId, questionId, ...added });
  const stored = await inTurn(core, () =>
    writeFiles(core, attemptId, questionId, change, { row, parts: partsOf(bytes) }),
  );
  return { ...stored, fileId };
}

const tooManyFilesMessage = (most: number): string =>
  most === 1
    ? 'К этому вопросу можно приложить один файл. Уберите прежний.'
    : `К этому вопросу можно приложить не больше ${most} файлов. Уберите лишний.`;
