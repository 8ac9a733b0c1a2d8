import type { PoolClient } from 'pg';
import * as v from 'valibot';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { formatSequences, SequenceList } from '#contract/headers.ts';
import { ANSWERS_PER_ATTEMPT, STRAY_OPERATIONS_PER_PERSON } from '#contract/limits.ts';
import type { Receipt } from '#contract/passing.ts';
import { answerMisfit } from '#domain/answer-fit.ts';
import { closesAt } from '#domain/deadline.ts';
import { believedWriting } from '#domain/lateness.ts';
import { lockCaller } from '#server/auth/caller.ts';
import { execute, one, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { isResultSeen } from '#server/tests/visible.ts';
import {
  ATTEMPT_COLUMNS,
  attemptClosesAt,
  findAttempt,
  lockAttempt,
  lockStarts,
  type Attempt,
} from './attempt.ts';
import { endByFinish } from './close.ts';
import { loadContent } from './content.ts';
import { applyAnswer, rescore } from './counting.ts';
import { extendDeadline } from './extend.ts';
import type { OperationRequest } from './incoming.ts';
import { assertInvariant } from './invariant.ts';
import {
  deleteOperation,
  insertOperation,
  findOperation,
  spareSequences,
  type FinishBody,
  type JournalEntry,
  type JournalOutcome,
  type Operation,
} from './journal.ts';
import { bodyDigest, openSeal, sealReceipt, type SealClaims } from './seal.ts';
import { addStream, isBeginHeld } from './streams.ts';

/** The claims of an old receipt's seal about this attempt; null: it proves nothing about it. */
export function provenClaims(
  { state }: Pick<Deps, 'state'>,
  userId: string,
  attemptId: string,
  { id, oldReceipt, digest }: OperationRequest,
): SealClaims | null {
  if (oldReceipt?.operationId !== id) return null;
  const claims = openSeal(state.sealKey, oldReceipt, digest);
  // The receipt of a stray operation names no test.
  if (!claims || claims.testId === '') return null;
  return claims.userId === userId && claims.attemptId === attemptId ? claims : null;
}

/** Whether a receipt proves that its stream counted. A finish proves it only when stored: others are superseded too. */
const provesStream = (
  { kind }: Pick<OperationRequest, 'kind'>,
  { outcome }: Pick<Receipt, 'outcome'>,
): boolean => outcome === 'stored' || (outcome === 'superseded' && kind === 'answer');

/** Whether the begin without a network of a stream that nothing proves is held or has not arrived again. */
async function awaitsBegin(
  client: PoolClient,
  attemptId: string,
  { stream, epoch }: Pick<Receipt, 'stream' | 'epoch'>,
): Promise<boolean> {
  // A page of 1.0.0 sends answers without their begin; later epochs come from starts on the server.
  const unbegun = await one(
    client,
    `select 1 from offers where id = $1 and (
       not exists (select 1 from attempts where id = $1)
       or $3::bigint <= 1 and not exists (select 1 from streams where attempt_id = $1 and id = $2)
         and not exists (select 1 from begins where attempt_id = $1 and stream = $2))`,
    [attemptId, stream, epoch],
  );
  return unbegun !== null || isBeginHeld(client, attemptId, stream);
}

/**
 * After a restore (server rule 9): an operation with a genuine old receipt is journalled as that receipt
 * states; an attempt unknown to the database is recreated from it. Otherwise does nothing.
 */
export async function recover(
  deps: Deps,
  userId: string,
  attemptId: string,
  request: OperationRequest,
): Promise<void> {
  const receipt = request.oldReceipt;
  const claims = provenClaims(deps, userId, attemptId, request);
  if (!receipt || !claims) return;
  await transaction(deps.pool, async (client) => {
    await lockCaller(client, userId);
    await lockStarts(client, claims.testId, userId);
    const stored = await lockAttempt(client, attemptId, 'update');
    const isProof = provesStream(request, receipt);
    const isHeld = !isProof && (await awaitsBegin(client, attemptId, receipt));
    if (!stored && isHeld) return;
    const known = stored ?? (await remakeAttempt(client, claims, receipt, request.receivedAt));
    if (!known || known.userId !== userId) return;
    const attempt = await withProvenDeadline(client, known, claims, request.receivedAt);
    const { stream, epoch } = receipt;
    const isSecond = await isProvenEarlier(client, attempt.id, receipt);
    if (isProof && !isSecond) await yieldToProven(client, attempt.id, receipt, request.receivedAt);
    // Its start is not recorded, so it is dated back to its attempt: honest ages are accepted.
    if (!isHeld && !isSecond)
      await addStream(client, attempt.id, stream, epoch, request.receivedAt, attempt.startedAt);
    await journalSealed(client, attempt, request, claims, receipt);
  });
}

/**
 * Whether what another stream of the same epoch stored is older than this receipt. Each restore may have accepted the begin
 * of another device: the first one owns the attempt, whoever comes back first.
 */
async function isProvenEarlier(
  client: PoolClient,
  attemptId: string,
  { stream, epoch, receivedAt }: Receipt,
): Promise<boolean> {
  const earlier = await one(
    client,
    `select 1 from streams s join operations o on o.attempt_id = s.attempt_id and o.stream = s.id
     where s.attempt_id = $1 and s.id <> $2 and s.epoch = $3 and o.epoch = $3
       and o.outcome in ('stored', 'superseded') and o.received_at < $4 limit 1`,
    [attemptId, stream, epoch, receivedAt],
  );
  return earlier !== null;
}

/**
 * A begin that arrived after this receipt was given took the place of a stream that the restore had lost: it is that of
 * a second device, or stays one with a wrong proof, and the attempt belongs to the proven stream again. What it has stored
 * meanwhile stands.
 */
async function yieldToProven(
  client: PoolClient,
  attemptId: string,
  { stream, epoch, receivedAt }: Receipt,
  now: Date,
): Promise<void> {
  const begun = await rows<{ stream: string }>(
    client,
    `update begins b set hold = case when hold = 'proof' then hold else 'secondDevice' end
     where attempt_id = $1 and stream <> $2 and received_at > $3
       and hold is distinct from 'secondDevice' and decision is distinct from 'refuse'
       and (hold is distinct from 'proof'
         or stream = (select default_stream from attempts where id = $1))
       and not exists (select 1 from streams s
         where s.attempt_id = b.attempt_id and s.id = b.stream and s.epoch <> $4)
     returning stream`,
    [attemptId, stream, receivedAt, epoch],
  );
  // One that proved an accepted begin does not send it again.
  const proven = await rows<{ stream: string }>(
    client,
    `select id as stream from streams s where attempt_id = $1 and id <> $2 and epoch = $3
       and not exists (select 1 from begins b where b.attempt_id = s.attempt_id and b.stream = s.id)
       and exists (select 1 from offers where id = s.attempt_id)`,
    [attemptId, stream, epoch],
  );
  // Its own begin may have come again, after the other one, or once the test was closed.
  const released = await execute(
    client,
    `update begins set hold = null
     where attempt_id = $1 and stream = $2 and decision is null
       and (hold = 'secondDevice' or hold is not null and received_at > $3)`,
    [attemptId, stream, receivedAt],
  );
  const later = [...begun, ...proven];
  if (later.length === 0 && released === 0) return;
  const streams = later.map((one) => one.stream);
  await execute(
    client,
    `delete from streams s where attempt_id = $1 and id = any($2) and not exists (
       select 1 from begins b where b.attempt_id = s.attempt_id and b.stream = s.id
         and b.decision = 'accept')`,
    [attemptId, streams],
  );
  await execute(
    client,
    `update attempts set begin_held = false, recovered_at = coalesce(recovered_at, $4),
       default_stream = case when default_stream = any($2) then $3 else default_stream end,
       active_stream = case when active_stream = any($2) then $3 else active_stream end
     where id = $1`,
    [attemptId, streams, stream, now],
  );
}

/**
 * A deadline never moves earlier: minutes added after the backup are in later receipts. An attempt that the
 * server has closed does not run again by itself once its student could have seen the result.
 */
async function withProvenDeadline(
  client: PoolClient,
  attempt: Attempt,
  claims: SealClaims,
  at: Date,
): Promise<Attempt> {
  const deadline = new Date(claims.deadline);
  if (attempt.ended === 'finished' || deadline <= attempt.deadline) return attempt;
  if (await isResultSeen(client, attempt, at)) return attempt;
  return extendDeadline(client, attempt, deadline, { reason: 'recovered', at, actorId: null });
}

async function remakeAttempt(
  client: PoolClient,
  claims: SealClaims,
  receipt: Receipt,
  now: Date,
): Promise<Attempt | null> {
  // Serialized with a key correction, which comes first or sees this attempt.
  await client.query('select 1 from tests where id = $1 for share', [claims.testId]);
  // A later key correction applies: the chain ends at the content that replaced it.
  const content = await one<{ id: string }>(
    client,
    `with recursive chain as (
       select id, corrected_to from test_contents where id = $1 and test_id = $2
       union select c.id, c.corrected_to from test_contents c join chain on c.id = chain.corrected_to
     ) select id from chain where corrected_to is null`,
    [claims.contentId, claims.testId],
  );
  if (!content) return null;
  await lockStrays(client, claims.attemptId);
  const remade = await one<Attempt>(
    client,
    `insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
       late_window_seconds, default_stream, active_stream, active_epoch, recovered_at, trial)
     select $1, $2, $3, $4,
       case when exists (select 1 from attempts where test_id = $2 and user_id = $3 and number = $5)
         then (select max(number) + 1 from attempts where test_id = $2 and user_id = $3) else $5 end,
       $6, $7, $8, $9, $9, $10, $11,
       -- receipts do not record the role at the start: the present one is used
       (select role <> $12 from users where id = $3)
     returning ${ATTEMPT_COLUMNS}`,
    [
      claims.attemptId,
      claims.testId,
      claims.userId,
      content.id,
      claims.number,
      new Date(claims.startedAt),
      new Date(claims.deadline),
      claims.windowSeconds,
      receipt.stream,
      receipt.epoch,
      now,
      ROLE.student,
    ],
  );
  if (!remade) return null;
  assertInvariant(
    remade.id === claims.attemptId && remade.userId === claims.userId,
    'a recreated attempt is the one that the receipt names',
  );
  // Their devices send them again as of a known stream, and a repeat counts only if no time of writing was believed.
  await adoptStrays(client, remade, () => null);
  return remade;
}

/** Serializes strays of an unknown attempt with its recreation. */
export async function lockStrays(client: PoolClient, attemptId: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `strays/${attemptId}`,
  ]);
}

/** When the attempt closed by the deadline of a receipt. */
const closesBy = ({ deadline, windowSeconds }: SealClaims): number =>
  closesAt({ deadline, windowMs: windowSeconds * 1000 });

interface Stray {
  readonly id: string;
  readonly headers: {
    stream: string | null;
    epoch: number | null;
    sequence: number | null;
    ageMs: number | 'unknown';
    /** Absent in rows from before this was stored, like what follows. */
    seenServerTime?: string | null;
    folded?: string;
    setAside?: string;
    byHandover?: boolean;
  };
  readonly body: Answer | FinishBody | null;
  readonly receivedAt: Date;
}

/** How an operation that arrived before its attempt is journalled first. */
const EARLY: JournalOutcome = {
  outcome: 'held',
  refusal: null,
  afterResult: false,
  receivedLate: true,
  writtenAt: null,
};

/**
 * Operations that arrived before the attempt was proven join its journal as held, for the teacher to decide. Their
 * questions are known only now: an answer that fits none is refused, as everywhere.
 */
export async function adoptStrays(
  client: PoolClient,
  attempt: Attempt,
  writingOf: typeof believedWriting = believedWriting,
): Promise<void> {
  const strays = await rows<Stray>(
    client,
    `with strays as (
       delete from stray_operations where user_id = $1 and attempt_id = $2
       returning id, headers, body, received_at)
     select id, headers, body, received_at as "receivedAt" from strays order by received_at, id`,
    [attempt.userId, attempt.id],
  );
  if (strays.length === 0) return;
  const content = await loadContent(client, attempt.contentId);
  // A journal takes no more of them than of answers.
  let room = ANSWERS_PER_ATTEMPT;
  for (const { id, headers, body, receivedAt } of strays) {
    const isAnswer = body !== null && 'questionId' in body;
    const operation: JournalEntry = {
      id,
      kind: isAnswer ? 'answer' : 'finish',
      stream: headers.stream ?? attempt.defaultStream,
      epoch: headers.epoch ?? 0,
      sequence: headers.sequence,
      ageMs: headers.ageMs,
      seenServerTime: headers.seenServerTime ? new Date(headers.seenServerTime) : null,
      questionId: isAnswer ? body.questionId : null,
      body,
      digest: bodyDigest(body),
      receivedAt,
      byHandover: headers.byHandover ?? false,
    };
    const misfit = isAnswer ? answerMisfit(body, content.byId.get(body.questionId)) : null;
    const arrival = {
      receivedAt: receivedAt.getTime(),
      ageMs: headers.ageMs,
      seenServerTime: operation.seenServerTime?.getTime() ?? null,
    };
    const written = writingOf(arrival, attempt.startedAt.getTime());
    const entry: JournalOutcome = misfit
      ? { ...EARLY, outcome: 'refused', refusal: misfit, receivedLate: false }
      : { ...EARLY, writtenAt: written === null ? null : new Date(written) };
    // Two that claim one sequence are both stored: the second is ordered by receipt.
    const adopted =
      (await insertOperation(client, attempt.id, operation, entry)) ??
      (await insertOperation(client, attempt.id, { ...operation, sequence: null }, entry));
    assertInvariant(adopted !== null, 'each stray operation joins the journal');
    for (const reason of ['folded', 'setAside'] as const) {
      const named = v.parse(SequenceList, headers[reason] ?? '').slice(0, room);
      room -= named.length;
      await spareSequences(client, attempt.id, adopted.stream, named, reason);
    }
  }
}

/** A copy that arrived without its receipt was judged by its own statements; the seal proves more. */
export function isOutdone(
  known: Pick<Operation, 'kind' | 'outcome' | 'decision' | 'bodyDigest'>,
  { digest }: Pick<OperationRequest, 'digest'>,
  receipt: Pick<Receipt, 'outcome'>,
): boolean {
  if (!known.bodyDigest.equals(digest) || known.decision !== null) return false;
  if (known.kind === 'finish' && known.outcome === 'superseded')
    return receipt.outcome === 'stored';
  return known.outcome === 'held' && receipt.outcome !== 'held';
}

async function journalSealed(
  client: PoolClient,
  attempt: Attempt,
  request: OperationRequest,
  claims: SealClaims,
  receipt: Receipt,
): Promise<void> {
  const known = await findOperation(client, attempt.id, request.id);
  if (known && !isOutdone(known, request, receipt)) return;
  if (known) {
    assertInvariant(known.outcome !== 'stored', 'a stored operation stays in the journal');
    await deleteOperation(client, attempt.id, known.id);
  }
  const receivedAt = new Date(receipt.receivedAt);
  const writtenAt = receipt.writtenAt === null ? null : new Date(receipt.writtenAt);
  const operation: JournalEntry = {
    ...request,
    stream: receipt.stream,
    epoch: receipt.epoch,
    sequence: receipt.sequence,
    // Its age at the first receipt; the age stated now is that of this resend.
    ageMs: writtenAt === null ? 'unknown' : receivedAt.getTime() - writtenAt.getTime(),
    receivedAt,
  };
  const now = request.receivedAt;
  const entered = await insertOperation(client, attempt.id, operation, {
    outcome: receipt.outcome,
    refusal: null,
    afterResult: receipt.outcome === 'held' && (await isResultSeen(client, attempt, now)),
    receivedLate: receipt.receivedLate,
    writtenAt,
  });
  if (!entered) return;
  // The rest takes it for a repeat, and a finish that waits for the teacher waits for these too.
  if (entered.outcome === 'held')
    for (const reason of ['folded', 'setAside'] as const)
      await spareSequences(client, attempt.id, entered.stream, request[reason], reason);
  if (entered.kind === 'answer' && entered.outcome !== 'held') {
    await applyAnswer(client, entered);
    if (attempt.ended !== null) await rescore(client, attempt, 'recovered', now);
  }
  // An operation that arrived after the close changed nothing then either.
  const ends =
    entered.kind === 'finish' &&
    entered.outcome === 'stored' &&
    attempt.ended !== 'finished' &&
    receivedAt.getTime() < Math.max(attemptClosesAt(attempt).getTime(), closesBy(claims));
  if (!ends) return;
  await endByFinish(client, attempt, entered);
  await rescore(client, attempt, 'recovered', now);
}

/** Whether the person has an offer whose begin has not arrived yet. */
async function hasOffer({ pool }: Pick<Deps, 'pool'>, userId: string, id: string) {
  return (
    (await one(pool, 'select 1 from offers where id = $1 and user_id = $2', [id, userId])) !== null
  );
}

/** It names no test: the receipt proves that the operation is kept, and nothing else. */
function receiptOfStray(
  { state }: Pick<Deps, 'state'>,
  userId: string,
  attemptId: string,
  request: OperationRequest,
  receivedAt: Date,
): Receipt {
  const receipt = {
    operationId: request.id,
    stream: request.stream ?? attemptId,
    epoch: request.claimedEpoch ?? 0,
    sequence: request.sequence,
    outcome: 'held' as const,
    receivedLate: true,
    writtenAt: null,
    receivedAt: receivedAt.toISOString(),
  };
  const claims = {
    attemptId,
    testId: '',
    userId,
    contentId: '',
    number: 0,
    startedAt: 0,
    deadline: 0,
    windowSeconds: 0,
  };
  return { ...receipt, seal: sealReceipt(state.sealKey, receipt, request.digest, claims) };
}

/**
 * Stores an operation of an attempt that a restored database does not know and no seal proves, or whose begin without a
 * network has not arrived. Null: neither is the case, or the attempt is known; then it is simply not found.
 */
export async function storeStray(
  deps: Deps,
  userId: string,
  attemptId: string,
  request: OperationRequest,
): Promise<Receipt | null> {
  if (deps.state.epoch <= 1 && !(await hasOffer(deps, userId, attemptId))) return null;
  // A body that is not an answer could never be accepted: refused now, as everywhere.
  if (request.misfit) throw new Refusal(request.misfit.code, { details: request.misfit.details });
  const values = [
    userId,
    attemptId,
    request.id,
    JSON.stringify({
      stream: request.stream,
      epoch: request.claimedEpoch,
      sequence: request.sequence,
      ageMs: request.ageMs,
      seenServerTime: request.seenServerTime,
      folded: formatSequences(request.folded),
      setAside: formatSequences(request.setAside),
      byHandover: request.byHandover,
    } satisfies Record<keyof Stray['headers'], unknown>),
    JSON.stringify(request.body),
    request.receivedAt,
  ];
  const storedStray = await transaction(deps.pool, async (client) => {
    await lockCaller(client, userId);
    await lockStrays(client, attemptId);
    if (await findAttempt(client, attemptId)) return null;
    const others = await one<{ count: number }>(
      client,
      'select count(*) as count from stray_operations where user_id = $1 and id <> $2',
      [userId, request.id],
    );
    if ((others?.count ?? 0) >= STRAY_OPERATIONS_PER_PERSON) throw new Refusal('TOO_MANY_ANSWERS');
    await execute(
      client,
      `insert into stray_operations (user_id, attempt_id, id, headers, body, received_at)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      values,
    );
    return one<Pick<Stray, 'body' | 'receivedAt'> & { attemptId: string }>(
      client,
      `select attempt_id as "attemptId", body, received_at as "receivedAt"
       from stray_operations where user_id = $1 and id = $2`,
      [userId, request.id],
    );
  });
  if (!storedStray) return null;
  const isSame =
    storedStray.attemptId === attemptId && bodyDigest(storedStray.body).equals(request.digest);
  if (!isSame) throw new Refusal('OPERATION_REUSED');
  return receiptOfStray(deps, userId, attemptId, request, storedStray.receivedAt);
}
