import type { PoolClient } from 'pg';
import type { ErrorCode } from '#contract/errors.ts';
import { HEADER, type StartHeaders } from '#contract/headers.ts';
import type { Started } from '#contract/passing.ts';
import type { InferOutput } from 'valibot';
import { attemptState, closesAt, initialDeadline, remainingMs } from '#domain/deadline.ts';
import { knowsAllContent } from '#domain/needed-version.ts';
import { languageOf } from '#domain/languages.ts';
import { formatDuration } from '#domain/duration.ts';
import { studentQuestion } from '#domain/student-question.ts';
import { type AuthenticatedUser, lockCaller } from '#server/auth/caller.ts';
import { keyOf, type Limit, spend } from '#server/auth/leaky-bucket.ts';
import { extendSession } from '#server/auth/sessions.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { refuseOlderApp } from '#server/older-apps.ts';
import { allowedAttempts, mayTake, readableTest, type TestAccess } from '#server/tests/access.ts';
import {
  ATTEMPT_COLUMNS,
  attemptClosesAt,
  attemptTime,
  findAttempt,
  lockStarts,
  presentFirst,
  type Attempt,
} from './attempt.ts';
import { closeIfDue } from './close.ts';
import { loadContent } from './content.ts';
import { drawNext } from './draws.ts';
import { assertInvariant } from './invariant.ts';
import { attemptRank } from './part-rank.ts';
import { addStream, recordContact } from './streams.ts';
import { isTrialOf } from './trial.ts';

type Headers = InferOutput<typeof StartHeaders>;

/** The sign-in is extended this far beyond the last moment at which an answer may count. */
const SIGN_IN_MARGIN_MS = 60 * 60 * 1000;

/** Take-overs of one attempt: 60 at first, then one per minute. Each leaves a stream, which the live view counts. */
const TAKE_OVERS: Limit = { atOnce: 60, forgivenMs: 60_000 };

/** The journalled part of a reply to a start key. */
export type Journalled =
  | { readonly attemptId: string; readonly stream: string; readonly epoch: number }
  | { readonly code: ErrorCode; readonly details?: unknown };

/** The reply, and the stream that owns the attempt now: another one when an old key was replayed. */
export interface StartResult {
  readonly reply: Started;
  readonly activeStream: string;
}

interface Request {
  readonly client: PoolClient;
  readonly deps: Deps;
  readonly caller: AuthenticatedUser;
  readonly test: TestAccess;
  readonly stream: string | null;
  readonly takeOver: string | null;
  readonly now: Date;
}

/** What identifies a start, so that its reply is journalled and replayed. */
interface StartIdentity {
  readonly testId: string;
  readonly key: string | null;
  readonly fingerprint: string;
  readonly now: Date;
}

/**
 * Decides a start, or replays the reply to its key. In one transaction, serialized with the person's other starts of
 * the test. Throws a journalled refusal.
 * @param check may refuse a reply before it is journalled
 */
export async function settleStart(
  deps: Deps,
  caller: AuthenticatedUser,
  { testId, key, fingerprint, now }: StartIdentity,
  decideReply: (client: PoolClient) => Promise<Journalled>,
  check: (client: PoolClient, reply: Journalled) => Promise<void> = async () => undefined,
): Promise<StartResult> {
  const settle = () =>
    transaction(deps.pool, async (client): Promise<Journalled> => {
      await lockCaller(client, caller.userId);
      await lockStarts(client, testId, caller.userId);
      const known = key && (await replay(client, caller.userId, key, fingerprint));
      const reply = known || (await decideReply(client));
      await check(client, reply);
      if (!known && key) await journal(client, caller.userId, key, { fingerprint, reply, now });
      return reply;
    });
  const outcome = await settle().catch((error: unknown) => {
    if (error instanceof StartKeyConflict) return settle();
    throw error;
  });
  if ('code' in outcome) throw new Refusal(outcome.code, { details: outcome.details });
  return started(deps, caller, outcome, now);
}

/** Start, continue, or take over (server rule 1); the reply to a key is journalled and replayed. */
export function start(
  deps: Deps,
  { caller, wireVersion }: { caller: AuthenticatedUser; wireVersion: number },
  testId: string,
  headers: Headers,
  now: Date,
): Promise<StartResult> {
  const key = headers[HEADER.idempotencyKey] ?? null;
  const stream = headers[HEADER.stream] ?? null;
  const takeOver = headers[HEADER.takeOver] ?? null;
  const fingerprint = [testId, stream, takeOver].join('/');
  return settleStart(
    deps,
    caller,
    { testId, key, fingerprint, now },
    async (client) => {
      const test = await readableTest(client, caller, testId);
      // Not journalled: the test may be assigned later.
      if (!test) throw new Refusal('NOT_FOUND');
      return decide({ client, deps, caller, test, stream, takeOver, now });
    },
    async (client, reply) => {
      if ('attemptId' in reply) await refuseOlderAttempt(deps, client, reply, wireVersion);
    },
  );
}

/**
 * Refuses an app that could not answer a question completely before anything is stored, so that no time runs while the
 * app is updated.
 */
async function refuseOlderAttempt(
  deps: Deps,
  client: PoolClient,
  { attemptId }: { attemptId: string },
  wireVersion: number,
): Promise<void> {
  if (knowsAllContent(deps.addedContent, wireVersion)) return;
  const attempt = await findAttempt(client, attemptId);
  if (!attempt) return;
  const { questions } = await loadContent(deps.pool, attempt.contentId);
  refuseOlderApp(deps, questions, wireVersion);
}

/** The same key started another test concurrently: this one is rolled back, the other reply is returned. */
class StartKeyConflict extends Error {}

/** Start keys of one person that are replayed; a device repeats its newest one. */
const MAX_START_KEYS = 500;

const deleteOldKeys = {
  name: 'delete-old-start-keys',
  text: `delete from start_keys where user_id = $1 and key in (
           select key from start_keys where user_id = $1
           order by created_at desc, key offset $2 for update skip locked)`,
};

async function journal(
  client: PoolClient,
  userId: string,
  key: string,
  entry: { fingerprint: string; reply: Journalled; now: Date },
): Promise<void> {
  const inserted = await execute(
    client,
    `insert into start_keys (user_id, key, fingerprint, reply, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [userId, key, entry.fingerprint, JSON.stringify(entry.reply), entry.now],
  );
  if (inserted === 0) throw new StartKeyConflict();
  await execute(client, deleteOldKeys, [userId, MAX_START_KEYS]);
}

async function replay(
  client: PoolClient,
  userId: string,
  key: string,
  fingerprint: string,
): Promise<Journalled | null> {
  const known = await one<{ fingerprint: string; reply: Journalled }>(
    client,
    'select fingerprint, reply from start_keys where user_id = $1 and key = $2',
    [userId, key],
  );
  if (!known) return null;
  return known.fingerprint === fingerprint ? known.reply : { code: 'OPERATION_REUSED' };
}

async function decide(request: Request): Promise<Journalled> {
  const { client, caller, test, now, stream, takeOver } = request;
  const running = await runningAttempt(client, test.id, caller.userId, now);
  if (running?.isHeld) return { code: 'BEGIN_HELD' };
  if (takeOver !== null && running?.id !== takeOver) return { code: 'ATTEMPT_NOT_RUNNING' };
  if (!running) return create(request);
  const isOwner =
    running.activeEpoch > 0 && (stream ?? running.defaultStream) === running.activeStream;
  if (isOwner) {
    await recordContact(client, running.id, running.activeStream, 0, now);
    return { attemptId: running.id, stream: running.activeStream, epoch: running.activeEpoch };
  }
  if (running.activeEpoch === 0) return ensureOwnership(request, running);
  if (takeOver !== null) {
    const bucket = { key: keyOf(`take-over:${running.id}`), limit: TAKE_OVERS };
    if ((await spend(client, bucket, now)) > 0) return { code: 'TOO_MANY_TAKE_OVERS' };
    return ensureOwnership(request, running);
  }
  return { code: 'RUNNING_ELSEWHERE', details: await elsewhere(client, running) };
}

async function elsewhere(client: PoolClient, running: Attempt) {
  const owner = await one<{ lastHeardAt: Date }>(
    client,
    'select last_heard_at as "lastHeardAt" from streams where attempt_id = $1 and id = $2',
    [running.id, running.activeStream],
  );
  return { userTestId: running.id, lastHeardAt: owner?.lastHeardAt.toISOString() ?? null };
}

/** More epochs than an attempt ever uses between two restores. */
const EPOCHS_BETWEEN_RESTORES = 1_000;

/** Greater than every issued epoch: a restored backup may have lost some, and their devices return. */
function nextEpoch(running: Attempt, serverEpoch: number): number {
  return Math.max(running.activeEpoch, (serverEpoch - 1) * EPOCHS_BETWEEN_RESTORES) + 1;
}

/** The stream becomes the owner with the next epoch; a former owner gets a new name. */
async function ensureOwnership(request: Request, running: Attempt): Promise<Journalled> {
  const { client, deps, now } = request;
  const wasHere = await one(client, 'select 1 from streams where attempt_id = $1 and id = $2', [
    running.id,
    request.stream,
  ]);
  const stream = request.stream === null || wasHere ? deps.newId() : request.stream;
  const epoch = nextEpoch(running, deps.state.epoch);
  assertInvariant(epoch > running.activeEpoch, 'a new owner has a higher epoch than all before');
  const isOwner = await addStream(client, running.id, stream, epoch, now);
  assertInvariant(isOwner, 'a take-over makes its stream the owner');
  if (running.activeEpoch === 0 || request.stream === null) {
    await execute(client, 'update attempts set default_stream = $2 where id = $1', [
      running.id,
      stream,
    ]);
  }
  return { attemptId: running.id, stream, epoch };
}

/** The running attempt, locked: a concurrent finish comes before or after, never between. */
async function runningAttempt(
  client: PoolClient,
  testId: string,
  userId: string,
  now: Date,
): Promise<Attempt | null> {
  const open = await one<Attempt>(
    client,
    `select ${ATTEMPT_COLUMNS} from attempts
     where test_id = $1 and user_id = $2 and ended is null and deleted_at is null
     order by ${presentFirst('$3')} limit 1 for update`,
    [testId, userId, now],
  );
  if (!open) return null;
  const attempt = await closeIfDue(client, open, now);
  // A closed attempt is past its deadline.
  return attempt.deadline > now ? attempt : null;
}

async function create(request: Request): Promise<Journalled> {
  const { client, deps, caller, now } = request;
  // Locked until the attempt is stored: it pins the newest content, and no test that ends at this moment.
  const current = await one<Pick<TestAccess, 'contentId' | 'lifecycle'>>(
    client,
    'select content_id as "contentId", lifecycle from tests where id = $1 for share',
    [request.test.id],
  );
  if (!current) return { code: 'NOT_FOUND' };
  const test = { ...request.test, ...current };
  if (!mayTake(test)) return { code: test.lifecycle === 'active' ? 'FORBIDDEN' : 'TEST_CLOSED' };
  if (test.startTime && now < test.startTime) return { code: 'NOT_OPEN_YET' };
  if (test.endTime && now >= test.endTime) return { code: 'TEST_CLOSED' };
  if (test.contentId === null || test.questionCount === 0) return { code: 'TEST_EMPTY' };
  const made = await one<{ count: number; last: number }>(
    client,
    `select count(*) filter (where deleted_at is null) as count, coalesce(max(number), 0) as last
     from attempts where test_id = $1 and user_id = $2`,
    [test.id, caller.userId],
  );
  if ((made?.count ?? 0) >= allowedAttempts(test)) return { code: 'NO_ATTEMPTS_LEFT' };

  const contentId = await drawNext(client, deps, test.contentId);
  const attemptId = deps.newId();
  const stream = request.stream ?? deps.newId();
  const deadline = initialDeadline({
    startedAt: now.getTime(),
    passMs: test.passSeconds * 1000,
    extraMs: test.extraSeconds * 1000,
    testEnd: test.endTime?.getTime() ?? null,
  });
  assertInvariant(deadline >= now.getTime(), 'an attempt does not end before it starts');
  await execute(
    client,
    `insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
       late_window_seconds, default_stream, active_stream, active_epoch, trial)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, 0, $10)`,
    [
      attemptId,
      test.id,
      caller.userId,
      contentId,
      (made?.last ?? 0) + 1,
      now,
      new Date(deadline),
      test.windowSeconds,
      stream,
      isTrialOf(caller),
    ],
  );
  const isOwner = await addStream(client, attemptId, stream, 1, now);
  assertInvariant(isOwner, 'the first stream of an attempt owns it');
  return { attemptId, stream, epoch: 1 };
}

/** The reply: identity from the journal, present time. */
async function started(
  deps: Deps,
  caller: AuthenticatedUser,
  held: { attemptId: string; stream: string; epoch: number },
  now: Date,
): Promise<StartResult> {
  const attempt = await findAttempt(deps.pool, held.attemptId);
  if (!attempt) throw new Refusal('NOT_FOUND');
  assertInvariant(attempt.userId === caller.userId, 'an attempt is given to its own student');
  if (attempt.deletedAt) throw new Refusal('GONE');
  const test = await readableTest(deps.pool, caller, attempt.testId);
  if (!test) throw new Refusal('NOT_FOUND');
  const content = await loadContent(deps.pool, attempt.contentId);
  const time = attemptTime(attempt);
  const rank = attemptRank(deps.state, attempt.id);
  const expiresAt = await extendSession(
    deps.pool,
    caller.tokenHash,
    new Date(closesAt(time) + SIGN_IN_MARGIN_MS),
  );
  const reply: Started = {
    userTestId: attempt.id,
    testId: attempt.testId,
    title: test.name,
    language: languageOf(test),
    attemptNumber: attempt.number,
    attemptsCount: allowedAttempts(test),
    stream: held.stream,
    epoch: held.epoch,
    leftTestTime: formatDuration(remainingMs(time, now.getTime())),
    startedAt: attempt.startedAt.toISOString(),
    deadline: attempt.deadline.toISOString(),
    countsUntil: attemptClosesAt(attempt).toISOString(),
    serverTime: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
    totalQuestions: content.questions.length,
    // A late replay of an old key carries no questions: they are sent with a running attempt alone. A held begin proves
    // nothing yet, so it must not open what was sealed.
    questions:
      attemptState(time, now.getTime()) === 1 && !attempt.isHeld
        ? content.questions.map((question) => studentQuestion(question, rank))
        : [],
  };
  return { reply, activeStream: attempt.activeStream };
}
