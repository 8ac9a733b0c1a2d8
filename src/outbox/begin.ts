import * as v from 'valibot';
import type { AttemptRow, BeginState, OperationRow } from '#app/storage/rows.ts';
import { StorageFailure, type Transaction } from '#app/storage/storage.ts';
import { HEADER } from '#contract/headers.ts';
import type { Receipt, Started } from '#contract/passing.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import { isFinishOf } from '#domain/deadline.ts';
import { adoptStarted, changeAttempt, toLocal } from './attempts.ts';
import type { Core } from './core.ts';
import { decideAttempt } from './decide-attempt.ts';
import { staysEncrypted } from './decrypt-again.ts';
import { exchange, isDefinite } from './exchange.ts';
import { type FlushSummary, pauseAll, scheduleRetry } from './replies.ts';
import { isFromBeforeRestore, reopen } from './settle.ts';
import { classify, RETRY_LATER } from './transport.ts';
import type { LocalAttempt } from './types.ts';
import { positionOf, queueMissedFinishes } from './write.ts';

/** The begin of an attempt on this device: stored with the attempt, and sent before anything else of it. */

export const BeginEvidence = v.object({
  idempotencyKey: v.string(),
  /** That the offer's content was opened, for this stream. */
  proof: v.string(),
  stream: v.string(),
  /** Era and wall clock of the begin, from which its age is computed. */
  writtenEra: v.number(),
  writtenWall: v.number(),
  /** ISO time of the latest server time seen at the begin. */
  seenServerTime: v.nullable(v.string()),
});
export type BeginEvidence = v.InferOutput<typeof BeginEvidence>;

/** A begin as it is stored: its evidence for the server, and the reply. */
export type BeginRow = BeginEvidence & BeginState;

/** An opened offer: the attempt as it begins here. */
export interface OpenedOffer {
  readonly owner: string;
  /** The offer's id. */
  readonly attemptId: string;
  readonly testId: string;
  readonly title: string;
  readonly language: string | undefined;
  readonly attemptNumber: number;
  readonly attemptsCount: number;
  readonly questions: readonly StudentQuestion[];
  /** A new one, which `proof` is bound to. */
  readonly stream: string;
  readonly proof: string;
  readonly durationMs: number;
  /** Server time at which the test closes for this student; null: never. */
  readonly endsAt: number | null;
  /** Until when answers of an attempt with this deadline count. */
  readonly countsUntil: (deadline: number) => number;
}

const STORES = ['attempts', 'contents'] as const;

function newAttempt(core: Core, opened: OpenedOffer): AttemptRow {
  const { owner, attemptId, testId, title, language, stream, proof, questions } = opened;
  const { era, wall, server, seen } = positionOf(core);
  const startedAt = server ?? wall;
  const deadline = Math.min(startedAt + opened.durationMs, opened.endsAt ?? Infinity);
  const begin: BeginRow = {
    idempotencyKey: core.env.newId(),
    proof,
    stream,
    writtenEra: era,
    writtenWall: wall,
    seenServerTime: seen,
    state: 'waiting',
    reason: null,
  };
  const first = { stream, epoch: 1, nextSequence: 1, notHere: [], filesNotHere: [] };
  return {
    attemptId,
    owner,
    testId,
    title,
    language,
    attemptNumber: opened.attemptNumber,
    attemptsCount: opened.attemptsCount,
    totalQuestions: questions.length,
    stream,
    streams: [first],
    startedAt,
    deadline,
    countsUntil: opened.countsUntil(deadline),
    state: 'running',
    finishedAt: null,
    takenOver: false,
    gone: false,
    marks: [],
    lastQuestionId: null,
    begin,
  };
}

/**
 * Stores the begin with its attempt in one transaction on the device, never in the page's memory. An attempt that began
 * here before goes on. Throws `StorageFailure`: nothing has begun.
 */
async function storeBegin(core: Core, opened: OpenedOffer): Promise<LocalAttempt> {
  await core.ready();
  const { storage, env } = core;
  if (!storage.durable) throw new StorageFailure('unopenable');
  // What began here before may still lie encrypted.
  if (await staysEncrypted(core, opened.owner, opened.attemptId)) throw new StorageFailure('quota');
  const row = newAttempt(core, opened);
  const { attemptId } = row;
  const put = async (tx: Transaction): Promise<AttemptRow> => {
    const known = await tx.get('attempts', attemptId);
    if (known) return known;
    await tx.put('attempts', row);
    await tx.put('contents', { attemptId, questions: [...opened.questions], saved: null });
    return row;
  };
  const stored = await storage.write(STORES, put).catch(async (error: unknown) => {
    if (!(error instanceof StorageFailure) || error.kind !== 'quota') throw error;
    await env.freeSpace?.().catch(() => undefined);
    return storage.write(STORES, put);
  });
  storage.rememberAttempt(stored);
  core.emit({ kind: 'changed', attemptId });
  core.emit({ kind: 'written', attemptId });
  return toLocal(stored);
}

export function beginHeaders(
  core: Core,
  attemptId: string,
  begin: BeginEvidence,
): Record<string, string> {
  const { idempotencyKey, stream, proof, seenServerTime } = begin;
  const age = core.clock.age({ era: begin.writtenEra, wall: begin.writtenWall });
  return {
    [HEADER.idempotencyKey]: idempotencyKey,
    [HEADER.stream]: stream,
    [HEADER.offer]: attemptId,
    [HEADER.offerProof]: proof,
    [HEADER.age]: String(age),
    ...(seenServerTime === null ? {} : { [HEADER.seenServerTime]: seenServerTime }),
  };
}

/** Permanently refused: everything stays, is marked, and the answers are sent all the same. */
async function refuseBegin(
  core: Core,
  attemptId: string,
  message: string,
  epoch: number | null = null,
): Promise<void> {
  const serverEpoch = epoch ?? core.runtime.serverEpoch;
  await decideAttempt(core, attemptId, (row) =>
    row.begin?.state === 'waiting'
      ? { ...row, begin: { ...row.begin, state: 'refused', reason: message, serverEpoch } }
      : row,
  );
  core.log({ event: 'beginRefused', attemptId, detail: message });
}

const callOf = (
  core: Core,
  { attemptId, testId }: AttemptRow,
  begin: BeginEvidence,
  token: string,
) =>
  exchange<Started>(core, null, () =>
    core.env.transport.start(token, testId, beginHeaders(core, attemptId, begin)),
  );

/** Whether an automatic finish was held and its deadline has moved since: by it the server ends nothing. */
export function hasMovedDeadline(
  { finishReason }: OperationRow,
  receipt: Receipt | null,
  deadline: number,
): boolean {
  if (finishReason !== 'deadline' || receipt?.outcome !== 'held') return false;
  const receivedAt = Date.parse(receipt.receivedAt);
  const writtenAt = receipt.writtenAt === null ? null : Date.parse(receipt.writtenAt);
  return !isFinishOf(deadline, { receivedAt, writtenAt });
}

async function reopenBy(
  core: Core,
  { attemptId }: AttemptRow,
  deadline: number,
  isPast: (one: OperationRow) => boolean,
): Promise<void> {
  const all = await core.storage.readAll(['operations'], (tx) =>
    tx.all('operations', 'attempt', attemptId),
  );
  const finish = all.find(isPast);
  if (finish) await reopen(core, finish, deadline);
}

/** Lets an attempt with a held begin go on if its deadline has moved since. Called before the begin is accepted. */
export async function reopenHeld(core: Core, attempt: AttemptRow, deadline: number): Promise<void> {
  if (attempt.begin?.state !== 'held') return;
  await reopenBy(
    core,
    attempt,
    deadline,
    (one) => one.state === 'acknowledged' && hasMovedDeadline(one, one.receipt, deadline),
  );
}

/**
 * Drops the automatic finish of a deadline that has moved since. If a teacher brought it in before, the server only repeats
 * that it is held, and ends nothing.
 */
async function dropFormer(core: Core, attempt: AttemptRow, deadline: number): Promise<void> {
  if (isFinishOf(deadline, { receivedAt: attempt.deadline, writtenAt: null })) return;
  await reopenBy(
    core,
    attempt,
    deadline,
    ({ finishReason, stream, state, receipt }) =>
      finishReason === 'deadline' &&
      stream === attempt.stream &&
      state === 'waiting' &&
      receipt === null,
  );
}

/** Sends the begin once more; the same key and stream until a reply is definite. */
export async function sendBegin(
  core: Core,
  attempt: AttemptRow,
  token: string,
  tally: FlushSummary,
): Promise<void> {
  const { attemptId, owner } = attempt;
  const begin = v.safeParse(BeginEvidence, attempt.begin);
  if (!begin.success)
    return refuseBegin(core, attemptId, 'Запись о начале на устройстве испорчена');
  const sent = await callOf(core, attempt, begin.output, token);
  if (!sent.ok && isDefinite(sent.failure)) {
    const { message, facts } = sent.failure;
    // Refused before a restore: it is the restored server that decides.
    if (facts && isFromBeforeRestore(core, facts))
      return scheduleRetry(core, attemptId, null, RETRY_LATER, tally);
    core.runtime.backoffs.succeeded(attemptId);
    return refuseBegin(core, attemptId, message, facts?.serverEpoch);
  }
  if (!sent.ok) {
    const verdict = classify(sent.failure);
    if (verdict.kind === 'pause') pauseAll(core, verdict, token);
    else
      await scheduleRetry(
        core,
        attemptId,
        null,
        verdict.kind === 'retry' ? verdict : RETRY_LATER,
        tally,
      );
    return;
  }
  const { userTestId, stream } = sent.value;
  const isOfBegin = userTestId === attemptId && stream === begin.output.stream;
  if (!isOfBegin) {
    core.log({ event: 'foreignBegin', attemptId, detail: userTestId });
    await scheduleRetry(core, attemptId, null, RETRY_LATER, tally);
    return;
  }
  // Sent again: the restore may have lost it.
  if (isFromBeforeRestore(core, sent.facts)) {
    await scheduleRetry(core, attemptId, null, RETRY_LATER, tally);
    return;
  }
  await dropFormer(core, attempt, Date.parse(sent.value.deadline));
  await adoptStarted(core, owner, sent.value);
  core.runtime.backoffs.succeeded(attemptId);
  // In this pass: the time may be over all the same.
  await queueMissedFinishes(core, owner);
}

/** Asks what became of a begin that the server held or refused: the teacher may have decided since. */
async function askBegin(core: Core, attemptId: string): Promise<void> {
  await core.ready();
  const session = await core.session();
  const attempt = await core.storage.readAttempt(attemptId);
  const begin = v.safeParse(BeginEvidence, attempt?.begin);
  const state = attempt?.begin?.state;
  const isDecided = state === 'waiting' || state === 'accepted';
  if (!attempt || !begin.success || isDecided || session?.owner !== attempt.owner) return;
  const sent = await callOf(core, attempt, begin.output, session.token);
  // The teacher refused the begin or deleted the attempt. Either may be taken back, so only what is over is marked.
  if (!sent.ok && sent.failure.code === 'GONE')
    await changeAttempt(core, attemptId, (row) =>
      row.state === 'finished' ? { ...row, gone: true } : row,
    );
  if (!sent.ok || sent.value.userTestId !== attemptId) return;
  if (isFromBeforeRestore(core, sent.facts)) return;
  await reopenHeld(core, attempt, Date.parse(sent.value.deadline));
  await adoptStarted(core, attempt.owner, sent.value);
}

export interface Begins {
  /** Begins the attempt of an opened offer. Throws `StorageFailure`: nothing has begun. */
  store(opened: OpenedOffer): Promise<LocalAttempt>;
  /** Asks again about a begin that was held or refused; a failure other than GONE changes nothing. */
  ask(attemptId: string): Promise<void>;
}

export const createBegins = (core: Core): Begins => ({
  store: (opened) => storeBegin(core, opened),
  ask: (attemptId) => askBegin(core, attemptId),
});
