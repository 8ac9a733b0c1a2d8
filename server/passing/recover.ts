import type { PoolClient } from 'pg';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { STRAY_OPERATIONS_PER_PERSON } from '#contract/limits.ts';
import type { Receipt } from '#contract/passing.ts';
import { closesAt } from '#domain/deadline.ts';
import { holdCaller } from '#server/auth/caller.ts';
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
import { applyAnswer, rescore } from './counting.ts';
import { extendDeadline } from './extend.ts';
import type { Arriving } from './incoming.ts';
import {
  enterOperation,
  findOperation,
  type FinishBody,
  type IncomingOperation,
  type Operation,
} from './journal.ts';
import { bodyDigest, openSeal, sealReceipt, type SealClaims } from './seal.ts';
import { addStream } from './streams.ts';

/** What the seal of an operation's old receipt says of its attempt; null: it proves nothing of this one. */
export function provenClaims(
  { state }: Pick<Deps, 'state'>,
  userId: string,
  attemptId: string,
  { id, oldReceipt, digest }: Arriving,
): SealClaims | null {
  if (oldReceipt?.operationId !== id) return null;
  const claims = openSeal(state.sealKey, oldReceipt, digest);
  // The receipt of a stray operation names no test.
  if (!claims || claims.testId === '') return null;
  return claims.userId === userId && claims.attemptId === attemptId ? claims : null;
}

/**
 * After a restore (server rule 9): an operation with a genuine old receipt is entered as that receipt
 * says; an attempt that the database does not know is made again from it. Does nothing otherwise.
 */
export async function recover(
  deps: Deps,
  userId: string,
  attemptId: string,
  arriving: Arriving,
): Promise<void> {
  const receipt = arriving.oldReceipt;
  const claims = provenClaims(deps, userId, attemptId, arriving);
  if (!receipt || !claims) return;
  await transaction(deps.pool, async (client) => {
    await holdCaller(client, userId);
    await lockStarts(client, claims.testId, userId);
    const known =
      (await lockAttempt(client, attemptId, 'update')) ??
      (await remakeAttempt(client, claims, receipt, arriving.receivedAt));
    if (!known || known.userId !== userId) return;
    const attempt = await withProvenDeadline(client, known, claims, arriving.receivedAt);
    const { stream, epoch } = receipt;
    // Nobody remembers when it began: as far back as its attempt, so that honest ages stay believed.
    await addStream(client, attempt.id, stream, epoch, arriving.receivedAt, attempt.startedAt);
    await enterSealed(client, attempt, arriving, claims, receipt);
  });
}

/**
 * A deadline never becomes earlier: minutes added after the backup stand in later receipts. One that the
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
  // A correction of a key goes first or sees this attempt.
  await client.query('select 1 from tests where id = $1 for share', [claims.testId]);
  // A key that was corrected since stands: the chain ends at the content that took its place.
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
       late_window_seconds, default_stream, active_stream, active_epoch, recovered_at, any_file_type,
       trial)
     select $1, $2, $3, $4,
       case when exists (select 1 from attempts where test_id = $2 and user_id = $3 and number = $5)
         then (select max(number) + 1 from attempts where test_id = $2 and user_id = $3) else $5 end,
       $6, $7, $8, $9, $9, $10, $11, true,
       -- receipts do not say who he was at the start: as he is now
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
  if (remade) await adoptStrays(client, remade);
  return remade;
}

/** What comes for an attempt that is unknown is kept before the attempt is made again, or joins it. */
async function lockStrays(client: PoolClient, attemptId: string): Promise<void> {
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
  };
  readonly body: Answer | FinishBody | null;
  readonly receivedAt: Date;
}

/** What came for the attempt before it was proven joins its journal as held, for the teacher to decide. */
async function adoptStrays(client: PoolClient, attempt: Attempt): Promise<void> {
  const strays = await rows<Stray>(
    client,
    `delete from stray_operations where user_id = $1 and attempt_id = $2
     returning id, headers, body, received_at as "receivedAt"`,
    [attempt.userId, attempt.id],
  );
  for (const { id, headers, body, receivedAt } of strays) {
    const isAnswer = body !== null && 'questionId' in body;
    const operation: IncomingOperation = {
      id,
      kind: isAnswer ? 'answer' : 'finish',
      stream: headers.stream ?? attempt.defaultStream,
      epoch: headers.epoch ?? 0,
      sequence: headers.sequence,
      ageMs: headers.ageMs,
      seenServerTime: null,
      questionId: isAnswer ? body.questionId : null,
      body,
      digest: bodyDigest(body),
      receivedAt,
    };
    const held = {
      outcome: 'held',
      refusal: null,
      afterResult: false,
      receivedLate: true,
      writtenAt: null,
    } as const;
    // Two that claim one sequence are both kept: the second stands in order of receipt.
    if (!(await enterOperation(client, attempt.id, operation, held)))
      await enterOperation(client, attempt.id, { ...operation, sequence: null }, held);
  }
}

/** A copy that came without its receipt was judged by what it said; the seal proves more. */
function isOutdone(known: Operation, arriving: Arriving, receipt: Receipt): boolean {
  if (!known.bodyDigest.equals(arriving.digest) || known.decision !== null) return false;
  if (known.kind === 'finish' && known.outcome === 'superseded')
    return receipt.outcome === 'stored';
  return known.outcome === 'held' && receipt.outcome !== 'held';
}

async function enterSealed(
  client: PoolClient,
  attempt: Attempt,
  arriving: Arriving,
  claims: SealClaims,
  receipt: Receipt,
): Promise<void> {
  const known = await findOperation(client, attempt.id, arriving.id);
  if (known && !isOutdone(known, arriving, receipt)) return;
  if (known) {
    await execute(client, 'delete from operations where attempt_id = $1 and id = $2', [
      attempt.id,
      known.id,
    ]);
  }
  const receivedAt = new Date(receipt.receivedAt);
  const writtenAt = receipt.writtenAt === null ? null : new Date(receipt.writtenAt);
  const operation: IncomingOperation = {
    ...arriving,
    stream: receipt.stream,
    epoch: receipt.epoch,
    sequence: receipt.sequence,
    // As old as it was at its first receipt; the age that came now is that of this sending.
    ageMs: writtenAt === null ? 'unknown' : receivedAt.getTime() - writtenAt.getTime(),
    receivedAt,
  };
  const now = arriving.receivedAt;
  const entered = await enterOperation(client, attempt.id, operation, {
    outcome: receipt.outcome,
    refusal: null,
    afterResult: receipt.outcome === 'held' && (await isResultSeen(client, attempt, now)),
    receivedLate: receipt.receivedLate,
    writtenAt,
  });
  if (!entered) return;
  if (entered.kind === 'answer' && entered.outcome !== 'held') {
    await applyAnswer(client, entered);
    if (attempt.ended !== null) await rescore(client, attempt, 'recovered', now);
  }
  // One that came after the close had changed nothing then either.
  const ends =
    entered.kind === 'finish' &&
    entered.outcome === 'stored' &&
    attempt.ended !== 'finished' &&
    receivedAt.getTime() < Math.max(attemptClosesAt(attempt).getTime(), closesBy(claims));
  if (!ends) return;
  await execute(
    client,
    `update attempts set ended = 'finished', ended_at = $2, finish_operation = $3 where id = $1`,
    [attempt.id, entered.receivedAt, entered.id],
  );
  await rescore(client, attempt, 'recovered', now);
}

/**
 * Keeps an operation of an attempt that a restored database does not know and no seal proves.
 * Null: no restore has happened, or the attempt is known; then it is simply not found.
 */
export async function keepStray(
  deps: Deps,
  userId: string,
  attemptId: string,
  arriving: Arriving,
): Promise<Receipt | null> {
  if (deps.state.epoch <= 1) return null;
  // What is no answer at all could never be accepted: refused now, like everywhere.
  if (arriving.misfit)
    throw new Refusal(arriving.misfit.code, { details: arriving.misfit.details });
  const values = [
    userId,
    attemptId,
    arriving.id,
    JSON.stringify({
      stream: arriving.stream,
      epoch: arriving.claimedEpoch,
      sequence: arriving.sequence,
      ageMs: arriving.ageMs,
    }),
    JSON.stringify(arriving.body),
    arriving.receivedAt,
  ];
  const kept = await transaction(deps.pool, async (client) => {
    await holdCaller(client, userId);
    await lockStrays(client, attemptId);
    if (await findAttempt(client, attemptId)) return null;
    const others = await one<{ count: number }>(
      client,
      'select count(*) as count from stray_operations where user_id = $1 and id <> $2',
      [userId, arriving.id],
    );
    if ((others?.count ?? 0) >= STRAY_OPERATIONS_PER_PERSON) throw new Refusal('TOO_MANY_ANSWERS');
    return one<{ receivedAt: Date }>(
      client,
      `insert into stray_operations (user_id, attempt_id, id, headers, body, received_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (user_id, id) do update set attempt_id = excluded.attempt_id
       returning received_at as "receivedAt"`,
      values,
    );
  });
  if (!kept) return null;
  const receipt = {
    operationId: arriving.id,
    stream: arriving.stream ?? attemptId,
    epoch: arriving.claimedEpoch ?? 0,
    sequence: arriving.sequence,
    outcome: 'held' as const,
    receivedLate: true,
    writtenAt: null,
    receivedAt: kept.receivedAt.toISOString(),
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
  return { ...receipt, seal: sealReceipt(deps.state.sealKey, receipt, arriving.digest, claims) };
}
