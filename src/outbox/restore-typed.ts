import type { OperationRow } from '#app/storage/rows.ts';
import { ignoreStorageFailure, type Transaction } from '#app/storage/storage.ts';
import type { Core } from './core.ts';
import { listSaved } from '#domain/saved-answers.ts';
import { latest } from './overlay.ts';
import { isSame, type Typed } from './typed-note.ts';
import { OutboxRefusal } from './types.ts';
import { appendIn, noteWritten, streamOf, WRITE_STORES } from './write.ts';

/** Writes the text that an earlier page noted, as an operation of that moment. */

const isAfter = (one: OperationRow, typed: Typed): boolean =>
  one.writtenEra > typed.era || (one.writtenEra === typed.era && one.writtenWall > typed.wall);

/** Null: the device or the server has this answer or a newer one. */
async function restoreIn(
  tx: Transaction,
  core: Core,
  typed: Typed,
  operationId: string,
): Promise<OperationRow | null> {
  const { attemptId, answer } = typed;
  const row = await tx.get('attempts', attemptId);
  if (row?.owner !== typed.owner) throw new OutboxRefusal('unknownAttempt');
  const all = await tx.all('operations', 'attempt', attemptId);
  const already = all.find((one) => one.operationId === operationId);
  if (already) return already;
  const isKnown = streamOf(row, typed.stream) !== null;
  // After a loss of the database the device has another stream.
  const stream = isKnown ? typed.stream : row.stream;
  // Text typed before the student's own finish was stored by it.
  const finish = all.find(
    (one) => one.kind === 'finish' && one.stream === stream && one.state !== 'dropped',
  );
  if (finish?.finishReason === 'student') throw new OutboxRefusal('finished');
  const own = all.filter((one) => one.questionId === answer.questionId);
  if (own.some((one) => isAfter(one, typed))) return null;
  if (isSame(latest(own)?.answer ?? null, answer)) return null;
  if (!isKnown && (await isAnsweredSince(tx, typed))) return null;
  const wanted = { operationId, attemptId, answer, finishReason: null, files: [] };
  const { era, wall, server, seen } = typed;
  return appendIn(tx, core, row, wanted, { stream, writtenAt: { era, wall, server, seen } });
}

/**
 * Whether the server received an answer to the question later; nothing else shows it without the device's own
 * operations.
 */
async function isAnsweredSince(tx: Transaction, { attemptId, answer, server }: Typed) {
  const content = await tx.get('contents', attemptId);
  const saved = content?.saved ? listSaved(content.saved) : [];
  return saved.some(
    (one) =>
      one.questionId === answer.questionId && Date.parse(one.receivedAt) > (server ?? -Infinity),
  );
}

/** True: the device has it now, or it may not be written any more. */
export async function restoreTyped(core: Core, typed: Typed): Promise<boolean> {
  const operationId = core.env.newId();
  try {
    const { value: operation, saved } = await core.storage.writeNew(
      typed.attemptId,
      [...WRITE_STORES, 'contents'],
      (tx) => restoreIn(tx, core, typed, operationId),
    );
    if (operation) noteWritten(core, operation, saved);
    return saved;
  } catch (error) {
    if (error instanceof OutboxRefusal) return error.reason !== 'unknownAttempt';
    ignoreStorageFailure(error);
    return false;
  }
}
