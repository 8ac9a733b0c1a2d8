import type { FastifyInstance } from 'fastify';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import {
  finishAttempt,
  getSavedAnswers,
  getUpload,
  saveAnswer,
  startAttempt,
  uploadChunk,
  type Receipt,
} from '#contract/passing.ts';
import type { Caller } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { maySeeOwnAnswers } from '#server/tests/visible.ts';
import { ownAttempt, readableAttempt } from './access.ts';
import { answerEffects } from './answer.ts';
import { closedIfDue } from './close.ts';
import { loadContent } from './content.ts';
import { fastAnswer, type Facts } from './fast-answer.ts';
import { findAttempt } from './attempt.ts';
import { finishEffects, givenUp } from './finish.ts';
import { arrivingAnswer, arrivingFinish, type Arriving } from './incoming.ts';
import { receive, type Effects } from './operation.ts';
import { keepStray, recover } from './recover.ts';
import { savedAnswers } from './saved-answers.ts';
import { start } from './start.ts';
import { hearCall } from './streams.ts';
import { createUploadStore } from './upload-store.ts';
import { receiveChunk, uploadState } from './uploads.ts';
import type { Verdict } from './verdict.ts';

const FACTS_KEPT = 10_000;

interface PassingCall {
  readonly caller: Caller;
  readonly params: { readonly id: string };
  setHeader(name: string, value: string): void;
}

function settle(call: PassingCall, verdict: Verdict): Receipt {
  if (verdict.activeStream !== null) call.setHeader(HEADER.activeStream, verdict.activeStream);
  if (verdict.kind === 'refused') throw new Refusal(verdict.code, { details: verdict.details });
  return verdict.receipt;
}

export function registerPassing(app: FastifyInstance, deps: Deps): void {
  const store = createUploadStore(deps.dataDir);
  const known = new Map<string, Facts>();

  async function factsOf(attemptId: string): Promise<Facts | null> {
    const cached = known.get(attemptId);
    if (cached) return cached;
    const attempt = await findAttempt(deps.pool, attemptId);
    if (!attempt) return null;
    if (known.size >= FACTS_KEPT) known.delete(known.keys().next().value ?? '');
    const { userId, testId, contentId, number, startedAt } = attempt;
    const facts: Facts = { id: attempt.id, userId, testId, contentId, number, startedAt };
    known.set(attemptId, facts);
    return facts;
  }

  /** An operation of an attempt that the database does not know: proven by a seal, kept, or not found. */
  async function ofUnknownAttempt(
    call: PassingCall,
    arriving: Arriving,
    effects: Effects,
  ): Promise<Receipt> {
    await recover(deps, call.caller.userId, call.params.id, arriving);
    const facts = await factsOf(call.params.id);
    if (facts?.userId === call.caller.userId) {
      return settle(call, await receive(deps, call.params.id, arriving, effects, 'update'));
    }
    const kept = facts ? null : await keepStray(deps, call.caller.userId, call.params.id, arriving);
    if (!kept) throw new Refusal('NOT_FOUND');
    return kept;
  }

  /** The full rules, for a caller whose attempt it is. */
  async function byTheRules(
    call: PassingCall,
    arriving: Arriving,
    effects: Effects,
    strength: 'share' | 'update',
  ): Promise<Receipt> {
    if (arriving.oldReceipt) await recover(deps, call.caller.userId, call.params.id, arriving);
    const verdict = await receive(deps, call.params.id, arriving, effects, strength);
    if (verdict.kind === 'receipt' || verdict.code !== 'NOT_FOUND') return settle(call, verdict);
    // What was remembered of the attempt is older than the database: a backup was restored.
    known.delete(call.params.id);
    return ofUnknownAttempt(call, arriving, effects);
  }

  handle(app, deps, startAttempt, async (call) => {
    const { caller, params, headers, now } = call;
    const { reply, activeStream } = await start(deps, caller, params.id, headers, now);
    call.setHeader(HEADER.activeStream, activeStream);
    return reply;
  });

  handle(
    app,
    deps,
    saveAnswer,
    async (call) => {
      const facts = await factsOf(call.params.id);
      const content = facts ? await loadContent(deps.pool, facts.contentId) : null;
      const arriving = arrivingAnswer(call.headers, call.body, content, deps.newId, call.now);
      if (!facts) return ofUnknownAttempt(call, arriving, answerEffects);
      if (facts.userId !== call.caller.userId) throw new Refusal('NOT_FOUND');
      const isUsual = !arriving.misfit && arriving.folded.length === 0 && !arriving.oldReceipt;
      const fast = isUsual && (await fastAnswer(deps, facts, arriving));
      if (fast) return settle(call, { kind: 'receipt', ...fast });
      return byTheRules(call, arriving, answerEffects, 'share');
    },
    { body: 'unchecked' },
  );

  handle(app, deps, finishAttempt, async (call) => {
    const facts = await factsOf(call.params.id);
    const arriving = arrivingFinish(call.headers, deps.newId, call.now);
    const effects = finishEffects(givenUp(call.headers));
    if (!facts) return ofUnknownAttempt(call, arriving, effects);
    if (facts.userId !== call.caller.userId) throw new Refusal('NOT_FOUND');
    return byTheRules(call, arriving, effects, 'update');
  });

  handle(app, deps, getSavedAnswers, async (call) => {
    const { attempt, as } = await readableAttempt(deps.pool, call.caller, call.params.id);
    const current = await closedIfDue(deps.pool, attempt, call.now);
    if (as === 'student') await hearCall(deps.pool, current, call.headers, call.now);
    call.setHeader(HEADER.activeStream, current.activeStream);
    const maySee = as === 'teacher' || (await maySeeOwnAnswers(deps.pool, current, call.now));
    return maySee ? savedAnswers(deps.pool, attempt.id) : NO_SAVED_ANSWERS;
  });

  handle(app, deps, uploadChunk, async (call) => {
    const attempt = await ownAttempt(deps.pool, call.caller, call.params.id);
    await hearCall(deps.pool, attempt, call.headers, call.now);
    call.setHeader(HEADER.activeStream, attempt.activeStream);
    const chunk = { ...call.query, fileId: call.params.fileId, bytes: call.bytes };
    return receiveChunk(deps, store, attempt, chunk, call.now);
  });

  handle(app, deps, getUpload, async (call) => {
    const attempt = await ownAttempt(deps.pool, call.caller, call.params.id);
    await hearCall(deps.pool, attempt, call.headers, call.now);
    call.setHeader(HEADER.activeStream, attempt.activeStream);
    return uploadState(deps, store, attempt, call.params.fileId);
  });
}
