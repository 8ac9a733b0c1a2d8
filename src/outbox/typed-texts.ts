import * as v from 'valibot';
import type { OperationRow } from '#app/storage/rows.ts';
import { ignoreStorageFailure, type Transaction } from '#app/storage/storage.ts';
import { Answer } from '#contract/answers.ts';
import type { Core } from './core.ts';
import { latest, listSaved } from './overlay.ts';
import { OutboxRefusal } from './types.ts';
import { appendIn, noteWritten, positionOf, streamOf, WRITE_STORES } from './write.ts';

/**
 * Typed answers that the database may not have yet. A page that is being left cannot finish a transaction, so each
 * key writes the answer synchronously into `texts`; the next page that starts writes it as an operation of the moment
 * at which it was typed.
 */

const PREFIX = 'typed:';

const Typed = v.object({
  owner: v.string(),
  attemptId: v.string(),
  stream: v.string(),
  answer: Answer,
  era: v.pipe(v.number(), v.integer(), v.minValue(0)),
  wall: v.number(),
  server: v.nullable(v.number()),
  seen: v.nullable(v.string()),
});
type Typed = v.InferOutput<typeof Typed>;

/** The attempt in which something is typed. */
export interface TypingAttempt {
  readonly owner: string;
  readonly attemptId: string;
  readonly stream: string;
}

const keyOf = (attemptId: string, { questionId }: Answer): string =>
  `${PREFIX}${attemptId}:${questionId}`;

/** Storage that is full or forbidden changes nothing: the database has the text within a second. */
function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** Notes an answer as typed so far. Synchronous. */
export function noteTyped(core: Core, { owner, attemptId, stream }: TypingAttempt, answer: Answer) {
  const typed: Typed = { owner, attemptId, stream, answer, ...positionOf(core) };
  attempt(
    () => core.env.texts?.setItem(keyOf(attemptId, answer), JSON.stringify(typed)),
    undefined,
  );
}

function parseTyped(text: string): Typed | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Typed), text);
  return parsed.success ? parsed.output : null;
}

const isSame = (one: Answer | null, other: Answer): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Forgets a typed answer that the device has stored. */
export function forgetTyped(core: Core, attemptId: string, answer: Answer): void {
  const { texts } = core.env;
  const key = keyOf(attemptId, answer);
  attempt(() => {
    const typed = parseTyped(texts?.getItem(key) ?? '');
    if (typed && isSame(typed.answer, answer)) texts?.removeItem(key);
  }, undefined);
}

function listTyped(core: Core): { key: string; text: string }[] {
  const { texts } = core.env;
  if (!texts) return [];
  return attempt(() => {
    const keys = Array.from({ length: texts.length }, (_, index) => texts.key(index));
    return keys.flatMap((key) => {
      const text = key?.startsWith(PREFIX) ? texts.getItem(key) : null;
      return key !== null && text !== null ? [{ key, text }] : [];
    });
  }, []);
}

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
  // What was typed before the student's own finish was stored by it.
  const finish = all.find((one) => one.kind === 'finish' && one.stream === stream);
  if (finish?.finishReason === 'student') throw new OutboxRefusal('finished');
  const own = all.filter((one) => one.questionId === answer.questionId);
  if (own.some((one) => isAfter(one, typed))) return null;
  if (isSame(latest(own)?.answer ?? null, answer)) return null;
  if (!isKnown && (await isAnsweredSince(tx, typed))) return null;
  const wanted = { operationId, attemptId, answer, finishReason: null, file: null };
  const { era, wall, server, seen } = typed;
  return appendIn(tx, core, row, wanted, { stream, writtenAt: { era, wall, server, seen } });
}

/** Whether the server received an answer to the question later; without the device's own operations nothing else tells. */
async function isAnsweredSince(tx: Transaction, { attemptId, answer, server }: Typed) {
  const content = await tx.get('contents', attemptId);
  const saved = content?.saved ? listSaved(content.saved) : [];
  return saved.some(
    (one) =>
      one.questionId === answer.questionId && Date.parse(one.receivedAt) > (server ?? -Infinity),
  );
}

/** True: the device has it now, or it may not be written any more. */
async function restore(core: Core, typed: Typed): Promise<boolean> {
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

/** Writes the typed answers of all owners as operations: each into the rows of its own owner's attempt. */
export async function storeTyped(core: Core): Promise<void> {
  const found = listTyped(core);
  if (found.length === 0) return;
  await core.ready();
  for (const { key, text } of found) {
    const typed = parseTyped(text);
    if (typed && !(await restore(core, typed))) continue;
    // Another page may have typed on meanwhile.
    attempt(() => {
      if (core.env.texts?.getItem(key) === text) core.env.texts.removeItem(key);
    }, undefined);
  }
}

/** At a sign-out and at another person's sign-in: text that could not be stored must not be readable. */
export function eraseTyped(core: Core, except: string | null): void {
  for (const { key, text } of listTyped(core)) {
    if (except !== null && parseTyped(text)?.owner === except) continue;
    attempt(() => core.env.texts?.removeItem(key), undefined);
  }
}
