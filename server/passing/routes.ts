import type { FastifyInstance } from 'fastify';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { HEADER, type FinishHeaders, type OperationHeaders } from '#contract/headers.ts';
import {
  finishAttempt,
  getSavedAnswers,
  getUpload,
  saveAnswer,
  startAttempt,
  uploadChunk,
  type Receipt,
} from '#contract/passing.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { BoundedMap } from '#server/bounded-map.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { begin } from '#server/offline/begin.ts';
import { maySeeOwnAnswers } from '#server/tests/visible.ts';
import { ownAttempt, readableAttempt } from './access.ts';
import { answerEffects } from './answer.ts';
import { createAnswerLimits, type JournalUse, readJournalUse } from './answer-limits.ts';
import { closedIfDue } from './close.ts';
import { loadContent } from './content.ts';
import { createFastAnswer, type Facts } from './fast-answer.ts';
import { findAttempt } from './attempt.ts';
import { finishEffects, readAbandoned } from './finish.ts';
import { parseAnswer, parseFinish, type OperationRequest } from './incoming.ts';
import { receive, type Effects } from './operation.ts';
import { storeStray, provenClaims, recover } from './recover.ts';
import { savedAnswers } from './saved-answers.ts';
import { start } from './start.ts';
import { createCallRecorder } from './streams.ts';
import { createUploadStore } from './upload-store.ts';
import { receiveChunk, uploadState } from './uploads.ts';
import type { AnswerVerdict } from './verdict.ts';

const MAX_CACHED = 10_000;

/** What is cached about an attempt between two of its operations. */
interface CachedAttempt {
  readonly facts: Facts;
  readonly use: JournalUse;
}

interface PassingCall {
  readonly caller: AuthenticatedUser;
  readonly params: { readonly id: string };
  readonly now: Date;
  /** Absent: its device makes it. */
  readonly byHandover?: boolean;
  setHeader(name: string, value: string): void;
}

interface AnswerCall extends PassingCall {
  readonly headers: OperationHeaders;
  readonly body: unknown;
  readonly bodyBytes: number;
}

interface FinishCall extends PassingCall {
  readonly headers: FinishHeaders;
}

/** The operations of a device, whichever way they arrive. */
export interface DeviceOperations {
  answer(call: AnswerCall): Promise<Receipt>;
  finish(call: FinishCall): Promise<Receipt>;
}

const senderOf = ({ caller, params }: PassingCall) => ({
  attemptId: params.id,
  userId: caller.userId,
});

function settle(call: PassingCall, verdict: AnswerVerdict): Receipt {
  if (verdict.activeStream !== null) call.setHeader(HEADER.activeStream, verdict.activeStream);
  if (verdict.kind === 'refused') throw new Refusal(verdict.code, { details: verdict.details });
  return verdict.receipt;
}

/** Attempts of recent operations, so that a save need not read its attempt. */
function createAttemptCache({ pool }: Pick<Deps, 'pool'>) {
  const known = new BoundedMap<CachedAttempt>(MAX_CACHED);

  async function find(attemptId: string): Promise<CachedAttempt | null> {
    const cached = known.get(attemptId);
    if (cached) return cached;
    const attempt = await findAttempt(pool, attemptId);
    if (!attempt) return null;
    const { userId, testId, contentId, number, startedAt } = attempt;
    const facts: Facts = { id: attempt.id, userId, testId, contentId, number, startedAt };
    const found: CachedAttempt = { facts, use: await readJournalUse(pool, attemptId) };
    known.set(attemptId, found);
    return found;
  }

  return { find, forget: (attemptId: string) => known.delete(attemptId) };
}

type AttemptCache = ReturnType<typeof createAttemptCache>;

/** Settles operations by the full rules, which the fast path leaves out. */
function createFullRules(deps: Deps, attempts: AttemptCache) {
  /** An operation of an attempt unknown to the database: proven by a seal, stored as a stray, or not found. */
  async function ofUnknownAttempt(
    call: PassingCall,
    request: OperationRequest,
    effects: Effects,
  ): Promise<Receipt> {
    const sender = senderOf(call);
    await recover(deps, sender.userId, sender.attemptId, request);
    const enter = async () => {
      const found = await attempts.find(sender.attemptId);
      return found && settle(call, await receive(deps, sender, request, effects, 'update'));
    };
    // Its proof may arrive while it is about to be stored without one.
    const receipt =
      (await enter()) ??
      (await storeStray(deps, sender.userId, sender.attemptId, request)) ??
      (await enter());
    if (!receipt) throw new Refusal('NOT_FOUND');
    return receipt;
  }

  /** Applies the full rules, for a caller who owns the attempt. */
  async function applyWithFullRules(
    call: PassingCall,
    request: OperationRequest,
    effects: Effects,
    strength: 'share' | 'update',
  ): Promise<Receipt> {
    if (request.oldReceipt) await recover(deps, call.caller.userId, call.params.id, request);
    const verdict = await receive(deps, senderOf(call), request, effects, strength);
    if (verdict.kind === 'receipt' || verdict.code !== 'NOT_FOUND') return settle(call, verdict);
    // The cached attempt is older than the database: a backup was restored.
    attempts.forget(call.params.id);
    return ofUnknownAttempt(call, request, effects);
  }

  return { ofUnknownAttempt, applyWithFullRules };
}

/** Registers the calls of passing; returns the operations for those that arrive in another way. */
export function registerPassing(app: FastifyInstance, deps: Deps): DeviceOperations {
  const attempts = createAttemptCache(deps);
  const shared = {
    attempts,
    rules: createFullRules(deps, attempts),
    limits: createAnswerLimits(deps),
  };
  const answer = createAnswer(deps, shared);
  const finish = createFinish(deps, shared);
  registerStart(app, deps);
  registerAnswer(app, deps, shared, answer);
  handle(app, deps, finishAttempt, finish);
  registerReading(app, deps);
  return { answer, finish };
}

/** What answers and finishes of one server share. */
interface Shared {
  readonly attempts: AttemptCache;
  readonly rules: ReturnType<typeof createFullRules>;
  readonly limits: ReturnType<typeof createAnswerLimits>;
}

function registerStart(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, startAttempt, async (call) => {
    const { caller, params, headers, now } = call;
    const { reply, activeStream } =
      headers[HEADER.offer] === undefined
        ? await start(deps, { caller, wireVersion: call.wireVersion() }, params.id, headers, now)
        : await begin(deps, caller, params.id, headers, { now, byHandover: false });
    call.setHeader(HEADER.activeStream, activeStream);
    return reply;
  });
}

function createAnswer(deps: Deps, { attempts, rules, limits }: Shared): DeviceOperations['answer'] {
  const fastAnswer = createFastAnswer(deps);
  return async (call) => {
    const { caller, params } = call;
    const found = await attempts.find(params.id);
    const content = found ? await loadContent(deps.pool, found.facts.contentId) : null;
    const { byHandover = false } = call;
    const given = parseAnswer(call.headers, call.body, content, deps.newId, call.now);
    const arrived = { ...given, byHandover };
    // An operation known before a restore is recovered whole, and only once.
    const isProven = provenClaims(deps, caller.userId, params.id, arrived) !== null;
    const isSpent = call.headers[HEADER.receipt] === undefined;
    if (!isProven && !isSpent) limits.spend(caller.userId, call.bodyBytes, call.now);
    if (!found) return rules.ofUnknownAttempt(call, arrived, answerEffects);
    const { facts, use } = found;
    const request = isProven
      ? arrived
      : await limits.admitAnswer(caller.userId, params.id, use, arrived);
    const isUsual = !request.misfit && request.folded.length === 0 && !request.oldReceipt;
    const fast = isUsual && !byHandover && (await fastAnswer(facts, caller.userId, request));
    if (fast) return settle(call, { kind: 'receipt', ...fast });
    return rules.applyWithFullRules(call, request, answerEffects, 'share');
  };
}

function registerAnswer(
  app: FastifyInstance,
  deps: Deps,
  { attempts, limits }: Shared,
  answer: DeviceOperations['answer'],
): void {
  handle(app, deps, saveAnswer, answer, {
    body: 'unchecked',
    admit: async ({ caller, params, headers, bodyBytes, now }) => {
      const found = await attempts.find(params.id);
      if (found && found.facts.userId !== caller.userId) throw new Refusal('NOT_FOUND');
      // With a sealed receipt it may be a repeat after a restore; with a false seal it is spent as an answer later.
      if (headers[HEADER.receipt] === undefined) limits.spend(caller.userId, bodyBytes, now);
      else limits.spendRepeat(caller.userId, bodyBytes, now);
    },
  });
}

function createFinish(deps: Deps, { attempts, rules, limits }: Shared): DeviceOperations['finish'] {
  return async (call) => {
    const found = await attempts.find(call.params.id);
    const { byHandover = false } = call;
    const arrived = { ...parseFinish(call.headers, deps.newId, call.now), byHandover };
    const given = readAbandoned(call.headers);
    if (!found) return rules.ofUnknownAttempt(call, arrived, finishEffects(given));
    if (found.facts.userId !== call.caller.userId) throw new Refusal('NOT_FOUND');
    const { request, abandoned } = await limits.admitFinish(
      call.params.id,
      found.use,
      arrived,
      given,
    );
    return rules.applyWithFullRules(call, request, finishEffects(abandoned), 'update');
  };
}

/** Saved answers and files, and the contacts of their devices. */
function registerReading(app: FastifyInstance, deps: Deps): void {
  const store = createUploadStore(deps.dataDir);
  const recordCall = createCallRecorder(deps.pool);

  handle(app, deps, getSavedAnswers, async (call) => {
    const { attempt, as } = await readableAttempt(deps.pool, call.caller, call.params.id);
    const current = await closedIfDue(deps.pool, attempt, call.now);
    if (as === 'student') await recordCall(current, call.headers, call.now);
    call.setHeader(HEADER.activeStream, current.activeStream);
    const maySee = as === 'teacher' || (await maySeeOwnAnswers(deps.pool, current, call.now));
    return maySee ? savedAnswers(deps.pool, attempt.id) : NO_SAVED_ANSWERS;
  });

  handle(app, deps, uploadChunk, async (call) => {
    const attempt = await ownAttempt(deps.pool, call.caller, call.params.id);
    await recordCall(attempt, call.headers, call.now);
    call.setHeader(HEADER.activeStream, attempt.activeStream);
    const chunk = { ...call.query, fileId: call.params.fileId, bytes: call.bytes };
    return receiveChunk(deps, store, attempt, chunk, call.now);
  });

  handle(app, deps, getUpload, async (call) => {
    const attempt = await ownAttempt(deps.pool, call.caller, call.params.id);
    await recordCall(attempt, call.headers, call.now);
    call.setHeader(HEADER.activeStream, attempt.activeStream);
    return uploadState(deps, store, attempt, call.params.fileId);
  });
}
