import { isBeginWaiting } from '#app/storage/merge.ts';
import type { AttemptRow, FileRow, OperationRow } from '#app/storage/rows.ts';
import { ignoreStorageFailure } from '#app/storage/storage.ts';
import { toBase64 } from '#domain/base64url.ts';
import { RESCUE_FORMAT } from '#contract/limits.ts';
import { attemptsOf, isUnsent, unsentOf } from './attempts.ts';
import type { Core } from './core.ts';
import { mayBelong } from './encrypt.ts';
import { readBytes } from './files.ts';
import { type OverlayInput, countAnswers, overlay, unsentQuestions } from './overlay.ts';
import { fileIdsOf, followFiles } from './plan.ts';
import type { AttemptView, Pause, Reachability, ReadOnly, SyncView } from './types.ts';

/** The data for the screens, and for an export. */

function readOnlyOf(core: Core, attempt: AttemptRow, remainingMs: number): ReadOnly | null {
  if (attempt.gone) return 'gone';
  if (attempt.state === 'finished') return 'finished';
  if (attempt.takenOver) return 'takenOver';
  if (attempt.state === 'finishing') return 'finishing';
  if (core.runtime.secondTab.has(attempt.attemptId)) return 'secondTab';
  return remainingMs <= 0 ? 'timeOver' : null;
}

async function gather(core: Core, attempt: AttemptRow): Promise<OverlayInput> {
  const { attemptId } = attempt;
  const { operations: stored, files, content } = await core.storage.readRecords(attemptId);
  const operations = followFiles(stored, files);
  const broken = await core.storage.readBroken();
  const unsaved = core.storage.durable
    ? core.storage.unsaved
    : new Set(operations.map((one) => one.operationId));
  return {
    attempt,
    questions: content?.questions ?? [],
    saved: content?.saved ?? null,
    operations,
    files,
    sending: core.runtime.sending,
    unsaved,
    broken: broken.filter((row) => row.store === 'operations').length,
  };
}

/** Everything the test page shows of an attempt. Null: not on this device, or owned by another user. */
export async function snapshot(core: Core, attemptId: string): Promise<AttemptView | null> {
  await core.ready();
  const attempt = await visibleAttempt(core, attemptId);
  if (!attempt) return null;
  const input = await gather(core, attempt);
  const answers = overlay(input);
  const counts = countAnswers(input, answers);
  const now = core.clock.serverNow() ?? core.clock.wall();
  const isOver = attempt.state === 'finished';
  const remainingMs = isOver ? 0 : Math.max(0, attempt.deadline - now);
  const readOnly = readOnlyOf(core, attempt, remainingMs);
  const { setAside } = unsentQuestions(input.operations);
  const finishes = input.operations.filter((one) => one.kind === 'finish');
  const finishWaits = finishes.some((one) => one.state === 'waiting');
  const refused = finishes.find((one) => one.state === 'setAside' && one.stream === attempt.stream);
  const { title, language, testId, owner, attemptNumber, attemptsCount, stream, state } = attempt;
  const own = attempt.streams.find((one) => one.stream === stream);
  return {
    attemptId,
    testId,
    owner,
    title,
    language,
    attemptNumber,
    attemptsCount,
    stream,
    epoch: own?.epoch ?? 1,
    state,
    readOnly,
    startedAt: attempt.startedAt,
    deadline: attempt.deadline,
    countsUntil: attempt.countsUntil,
    finishedAt: attempt.finishedAt,
    remainingMs,
    now,
    questions: input.questions,
    // The attempt was read before its operations.
    head: (own?.nextSequence ?? 1) - 1,
    answers,
    lastQuestionId: attempt.lastQuestionId,
    begin: attempt.begin ?? null,
    counts,
    finishWaits,
    finishRefusal: finishWaits ? null : (refused?.refusal ?? null),
    sync: await syncOf(core, {
      waiting: counts.waiting,
      setAside: setAside.size,
      secondTab: readOnly === 'secondTab',
      takenOver: attempt.takenOver,
    }),
  };
}

interface SyncInput {
  readonly waiting: number;
  readonly setAside: number;
  readonly secondTab: boolean;
  readonly takenOver: boolean;
}

async function syncOf(core: Core, input: SyncInput): Promise<SyncView> {
  const session = await core.session();
  const { pause, reachability } = core.runtime;
  const { durable, unsaved } = core.storage;
  // A pause applies only to the session in which it began.
  const isPaused = pause !== null && (pause.why === 'update' || pause.token === session?.token);
  return syncView({
    waiting: input.waiting,
    setAside: input.setAside,
    // Only rows of the signed-in user are shown.
    signedIn: session !== null,
    pause: isPaused ? pause.why : null,
    reachability,
    unstorable: !durable || unsaved.size > 0 || core.storage.isSilent(),
    secondTab: input.secondTab,
    takenOver: input.takenOver,
  });
}

/** The indicator outside a test, over all rows of the signed-in user on this device. */
export async function ownersSync(core: Core): Promise<SyncView> {
  const session = await core.session();
  const owner = session?.owner ?? null;
  const operations = owner === null ? [] : await unsentOf(owner, core.storage.readAll);
  const { waiting, setAside } = unsentQuestions(operations);
  return syncOf(core, {
    waiting: waiting.size,
    // Rows that cannot be decrypted must be assumed unsent.
    setAside: setAside.size + core.runtime.unreadable,
    secondTab: false,
    takenOver: false,
  });
}

/**
 * Waiting operations of an owner, begins, finishes, poisoned ones and answers without their files included: what a
 * sign-out leaves unsent. Throws `StorageFailure` when the device cannot be read.
 */
export async function unsentCount(core: Core, owner: string): Promise<number> {
  const operations = await unsentOf(owner, core.storage.readEvery);
  const begins = (await attemptsOf(core, owner)).filter(isBeginWaiting);
  return operations.filter((one) => one.state === 'waiting').length + begins.length;
}

/** Whether answers of other users wait on this device. */
export async function othersWaiting(core: Core, owner: string | null): Promise<boolean> {
  const waiting = await core.storage.readAll(['operations'], (tx) =>
    tx.all('operations', 'state', 'waiting'),
  );
  const encrypted = await core.storage
    .read(['encrypted'], (tx) => tx.all('encrypted', 'kind', 'attempt'))
    .catch(() => []);
  return [...waiting, ...encrypted.filter((one) => one.waits)].some((one) => one.owner !== owner);
}

/** The attempt, if the signed-in user owns it; after a sign-out an open page continues with its own. */
export async function visibleAttempt(core: Core, attemptId: string): Promise<AttemptRow | null> {
  const row = await core.storage.readAttempt(attemptId);
  const session = await core.session();
  return row && (session === null || session.owner === row.owner) ? row : null;
}

export interface SyncFacts {
  readonly waiting: number;
  readonly setAside: number;
  /** The signed-in user owns the waiting operations. */
  readonly signedIn: boolean;
  readonly pause: Pause | null;
  readonly reachability: Reachability;
  /** Answers are in memory only. */
  readonly unstorable: boolean;
  readonly secondTab: boolean;
  readonly takenOver: boolean;
}

/** The indicator's state, by priority: first what blocks writing, then what needs the user, then the network. */
export function syncView(facts: SyncFacts): SyncView {
  const { waiting } = facts;
  if (facts.secondTab) return { kind: 'secondTab', count: waiting };
  if (facts.takenOver) return { kind: 'takenOver', count: waiting };
  if (facts.unstorable) return { kind: 'unstorable', count: waiting };
  const isSignedOut = !facts.signedIn || facts.pause === 'signIn' || facts.pause === 'blocked';
  if (isSignedOut && waiting > 0) return { kind: 'signedOut', count: waiting };
  if (facts.setAside > 0) return { kind: 'setAside', count: facts.setAside };
  if (facts.reachability === 'offline') return { kind: 'offline', count: waiting };
  if (facts.reachability === 'silent' || facts.pause === 'update') {
    return { kind: 'silent', count: waiting };
  }
  return waiting > 0 ? { kind: 'sending', count: waiting } : { kind: 'delivered', count: 0 };
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function plain(one: OperationRow) {
  const { operationId, stream, epoch, sequence, kind, answer, finishReason, state } = one;
  return {
    operationId,
    stream,
    epoch,
    sequence,
    kind,
    answer,
    finishReason,
    state: one.poisoned ? 'setAside' : state,
    writtenAt: iso(one.writtenServer),
    seenServerTime: one.seenServerTime,
    refusal: one.refusal,
    receipt: one.receipt,
  };
}

async function withBytes(core: Core, file: FileRow) {
  const { fileId, questionId, name, size, mimeType, sha256 } = file;
  // An unreadable file must not prevent the export of the answers.
  const bytes = await readBytes(core.storage.layerOf(file.operationId), file, 0, size).catch(
    (error: unknown) => {
      ignoreStorageFailure(error);
      return null;
    },
  );
  return { fileId, questionId, name, size, mimeType, sha256, base64: bytes && toBase64(bytes) };
}

/** Rows that cannot be decrypted, exported as ciphertext for the owner of the right key. */
async function encryptedOf(core: Core, owner: string) {
  const rows = await core.storage
    .read(['encrypted'], (tx) => tx.all('encrypted', 'ownerKind', [owner, 'attempt']))
    .catch(() => []);
  return rows.map(({ id, iv, cipher }) => ({
    id,
    store: 'encrypted',
    iv: toBase64(new Uint8Array(iv)),
    cipher: toBase64(new Uint8Array(cipher)),
  }));
}

/** Everything of an owner that the server does not have, as JSON that a teacher can import. */
export async function exportUnsent(core: Core, owner: string): Promise<string> {
  const attempts = [];
  for (const attempt of await attemptsOf(core, owner)) {
    const { attemptId, testId, title, startedAt, deadline, begin } = attempt;
    const stored = await core.storage.readAll(['operations'], (tx) =>
      tx.all('operations', 'attempt', attemptId),
    );
    const files = await core.storage.readAll(['files'], (tx) =>
      tx.all('files', 'attempt', attemptId),
    );
    const unsent = followFiles(stored, files).filter(isUnsent);
    if (unsent.length === 0 && !isBeginWaiting(attempt)) continue;
    const fileIds = new Set(unsent.flatMap(fileIdsOf));
    attempts.push({
      attemptId,
      testId,
      title,
      startedAt: iso(startedAt),
      deadline: iso(deadline),
      begin,
      operations: unsent.map(plain),
      files: await Promise.all(
        files.filter((file) => fileIds.has(file.fileId)).map((file) => withBytes(core, file)),
      ),
    });
  }
  const unreadable = await core.storage.readBroken();
  const broken = [
    ...unreadable.filter((row) => mayBelong(row, owner)),
    ...(await encryptedOf(core, owner)),
  ];
  const exportedAt = iso(core.clock.serverNow() ?? core.clock.wall());
  return JSON.stringify(
    { format: RESCUE_FORMAT, version: 1, exportedAt, owner, attempts, broken },
    null,
    2,
  );
}
