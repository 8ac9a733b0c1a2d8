import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import type { Transaction } from '#app/storage/storage.ts';
import { findAttempt } from './attempts.ts';
import {
  readBoth,
  readBroken,
  readDevice,
  readEvery,
  withMemory,
  type AttemptRead,
  type Core,
} from './core.ts';
import { countAnswers, overlay, unsentQuestions, type OverlayInput } from './overlay.ts';
import { syncView } from './sync-view.ts';
import type { AttemptView, ReadOnly, SyncView } from './types.ts';

/** Reads what the screens show. */

function readOnlyOf(core: Core, attempt: AttemptRow, remainingMs: number): ReadOnly | null {
  if (attempt.gone) return 'gone';
  if (attempt.state === 'finished') return 'finished';
  if (attempt.takenOver) return 'takenOver';
  if (attempt.state === 'finishing') return 'finishing';
  if (core.runtime.secondTab.has(attempt.attemptId)) return 'secondTab';
  return remainingMs <= 0 ? 'timeOver' : null;
}

const operationsOf = (attemptId: string) => (tx: Transaction) =>
  tx.all('operations', 'attempt', attemptId);
const filesOf = (attemptId: string) => (tx: Transaction) => tx.all('files', 'attempt', attemptId);

const NOTHING: AttemptRead = { operations: [], files: [], content: null };

/** As the device gives it; while it does not answer, as it gave it last. */
async function readStored(core: Core, attemptId: string): Promise<AttemptRead> {
  const { lastRead } = core.runtime;
  const fresh = await readDevice(core, ['operations', 'files', 'contents'], async (tx) => ({
    operations: await operationsOf(attemptId)(tx),
    files: await filesOf(attemptId)(tx),
    content: await tx.get('contents', attemptId),
  }));
  if (fresh) lastRead.set(attemptId, fresh);
  return fresh ?? lastRead.get(attemptId) ?? NOTHING;
}

async function gather(core: Core, attempt: AttemptRow): Promise<OverlayInput> {
  const { attemptId } = attempt;
  const stored = await readStored(core, attemptId);
  const operations = await withMemory(
    core,
    stored.operations,
    ['operations'],
    operationsOf(attemptId),
  );
  const files = await withMemory(core, stored.files, ['files'], filesOf(attemptId));
  const content =
    stored.content ??
    (await core.overflow.read(['contents'], (tx) => tx.get('contents', attemptId)));
  const broken = await readBroken(core);
  const unsaved = core.main.durable
    ? core.runtime.unsaved
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

/** Everything the taking page shows of an attempt. Null: this device does not hold it for who is signed in. */
export async function snapshot(core: Core, attemptId: string): Promise<AttemptView | null> {
  await core.ready();
  const attempt = await visibleAttempt(core, attemptId);
  if (!attempt) return null;
  const input = await gather(core, attempt);
  const answers = overlay(input);
  const counts = countAnswers(input, answers);
  const now = core.keeper.serverNow() ?? core.keeper.wall();
  const isOver = attempt.state === 'finished';
  const remainingMs = isOver ? 0 : Math.max(0, attempt.deadline - now);
  const readOnly = readOnlyOf(core, attempt, remainingMs);
  const { setAside } = unsentQuestions(input.operations);
  const finishes = input.operations.filter((one) => one.kind === 'finish');
  const finishWaits = finishes.some((one) => one.state === 'waiting');
  const refused = finishes.find((one) => one.state === 'setAside' && one.stream === attempt.stream);
  const { title, testId, owner, attemptNumber, attemptsCount, stream, state } = attempt;
  return {
    attemptId,
    testId,
    owner,
    title,
    attemptNumber,
    attemptsCount,
    stream,
    epoch: attempt.streams.find((one) => one.stream === stream)?.epoch ?? 1,
    state,
    readOnly,
    startedAt: attempt.startedAt,
    deadline: attempt.deadline,
    countsUntil: attempt.countsUntil,
    finishedAt: attempt.finishedAt,
    remainingMs,
    now,
    questions: input.questions,
    answers,
    lastQuestionId: attempt.lastQuestionId,
    counts,
    finishWaits,
    finishRefusal: finishWaits ? null : (refused?.refusal ?? null),
    sync: await syncOf(core, {
      owner,
      waiting: counts.waiting,
      setAside: setAside.size,
      secondTab: readOnly === 'secondTab',
      takenOver: attempt.takenOver,
    }),
  };
}

interface SyncInput {
  readonly owner: string | null;
  readonly waiting: number;
  readonly setAside: number;
  readonly secondTab: boolean;
  readonly takenOver: boolean;
}

async function syncOf(core: Core, input: SyncInput): Promise<SyncView> {
  const session = await core.session();
  const { pause, reachability, unsaved, isSilent } = core.runtime;
  // A pause belongs to the sign-in that met it.
  const isPaused = pause !== null && (pause.why === 'update' || pause.token === session?.token);
  return syncView({
    waiting: input.waiting,
    setAside: input.setAside,
    signedIn: session !== null && (input.owner === null || session.owner === input.owner),
    pause: isPaused ? pause.why : null,
    reachability,
    unstorable: !core.main.durable || unsaved.size > 0 || isSilent,
    secondTab: input.secondTab,
    takenOver: input.takenOver,
  });
}

/** The indicator outside a test: of everything the signed-in user has on this device. */
export async function ownersSync(core: Core): Promise<SyncView> {
  const session = await core.session();
  const owner = session?.owner ?? null;
  const operations = owner === null ? [] : await unsentOf(core, owner, readBoth);
  const { waiting, setAside } = unsentQuestions(operations);
  return syncOf(core, {
    owner,
    waiting: waiting.size,
    // What does not open is not on the server as far as anybody knows.
    setAside: setAside.size + core.runtime.unreadable,
    secondTab: false,
    takenOver: false,
  });
}

async function unsentOf(
  core: Core,
  owner: string,
  readRows: typeof readEvery,
): Promise<OperationRow[]> {
  return readRows<OperationRow>(core, ['operations'], async (tx) => [
    ...(await tx.all('operations', 'ownerState', [owner, 'waiting'])),
    ...(await tx.all('operations', 'ownerState', [owner, 'setAside'])),
  ]);
}

/**
 * Waiting operations of an owner, finishes and poisoned ones included: what a logout leaves behind. Throws
 * `StorageFailure` where the device cannot be read.
 */
export async function unsentCount(core: Core, owner: string): Promise<number> {
  const operations = await unsentOf(core, owner, readEvery);
  return operations.filter((one) => one.state === 'waiting').length;
}

/** Whether somebody else's answers wait on this device. */
export async function othersWaiting(core: Core, owner: string | null): Promise<boolean> {
  const waiting = await readBoth(core, ['operations'], (tx) =>
    tx.all('operations', 'state', 'waiting'),
  );
  const encrypted = await core.main
    .read(['encrypted'], (tx) => tx.all('encrypted', 'kind', 'attempt'))
    .catch(() => []);
  return [...waiting, ...encrypted.filter((one) => one.waits)].some((one) => one.owner !== owner);
}

/** An attempt that whoever is signed in may see; signed out in place, the page goes on with its own. */
export async function visibleAttempt(core: Core, attemptId: string): Promise<AttemptRow | null> {
  const row = await findAttempt(core, attemptId);
  const session = await core.session();
  return row && (session === null || session.owner === row.owner) ? row : null;
}
