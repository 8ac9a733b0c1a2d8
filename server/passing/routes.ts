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
import { createAnswerLimits, type JournalUse, readJournalUse } from './answer-limits.ts';
import { closedIfDue } from './close.ts';
import { loadContent } from './content.ts';
import { fastAnswer, type Facts } from './fast-answer.ts';
import { findAttempt } from './attempt.ts';
import { finishEffects, givenUp } from './finish.ts';
import { arrivingAnswer, arrivingFinish, type Arriving } from './incoming.ts';
import { receive, type Effects } from './operation.ts';
import { keepStray, provenClaims, recover } from './recover.ts';
import { savedAnswers } from './saved-answers.ts';
import { start } from './start.ts';
import { hearCall } from './streams.ts';
import { createUploadStore } from './upload-store.ts';
import { receiveChunk, uploadState } from './uploads.ts';
import type { Verdict } from './verdict.ts';

const FACTS_KEPT = 10_000;

/** What is remembered of an attempt between two of its operations. */
interface Known {
  readonly facts: Facts;
  readonly use: JournalUse;
}

interface PassingCall {
  readonly caller: Caller;
  readonly params: { readonly id: string };
  setHeader(name: string, value: string): void;
}

const senderOf = ({ caller, params }: PassingCall) => ({
  attemptId: params.id,
  userId: caller.userId,
});

function settle(call: PassingCall, verdict: Verdict): Receipt {
  if (verdict.activeStream !== null) call.setHeader(HEADER.activeStream, verdict.activeStream);
  if (verdict.kind === 'refused') throw new Refusal(verdict.code, { details: verdict.details });
  return verdict.receipt;
}

export function registerPassing(app: FastifyInstance, deps: Deps): void {
  const store = createUploadStore(deps.dataDir);
  const limits = createAnswerLimits(deps);
  const known = new Map<string, Known>();

  async function findKnown(attemptId: string): Promise<Known | null> {
    const cached = known.get(attemptId);
    if (cached) return cached;
    const attempt = await findAttempt(deps.pool, attemptId);
    if (!attempt) return null;
    if (known.size >= FACTS_KEPT) known.delete(known.keys().next().value ?? '');
    const { userId, testId, contentId, number, startedAt } = attempt;
    const facts: Facts = { id: attempt.id, userId, testId, contentId, number, startedAt };
    const found: Known = { facts, use: await readJournalUse(deps.pool, attemptId) };
    known.set(attemptId, found);
    return found;
  }

  /** An operation of an attempt that the database does not know: proven by a seal, kept, or not found. */
  async function ofUnknownAttempt(
    call: PassingCall,
    arriving: Arriving,
    effects: Effects,
  ): Promise<Receipt> {
    const sender = senderOf(call);
    await recover(deps, sender.userId, sender.attemptId, arriving);
    const enter = async () => {
      const found = await findKnown(sender.attemptId);
      return found && settle(call, await receive(deps, sender, arriving, effects, 'update'));
    };
    // Its proof may come while this is about to be kept without one.
    const receipt =
      (await enter()) ??
      (await keepStray(deps, sender.userId, sender.attemptId, arriving)) ??
      (await enter());
    if (!receipt) throw new Refusal('NOT_FOUND');
    return receipt;
  }

  /** The full rules, for a caller whose attempt it is. */
  async function byTheRules(
    call: PassingCall,
    arriving: Arriving,
    effects: Effects,
    strength: 'share' | 'update',
  ): Promise<Receipt> {
    if (arriving.oldReceipt) await recover(deps, call.caller.userId, call.params.id, arriving);
    const verdict = await receive(deps, senderOf(call), arriving, effects, strength);
    if (verdict.kind === 'receipt' || verdict.code !== 'NOT_FOUND') return settle(call, verdict);
    // What was remembered of the attempt is older than the database: a backup was restored.
    known.delete(call.params.id);
    return ofUnknownAttempt(call, arriving, effects);
  }

  handle(app, deps, startAttempt, async (call) => {
    const { params, headers, now } = call;
    const starter = { caller: call.caller, wireVersion: call.wireVersion() };
    const { reply, activeStream } = await start(deps, starter, params.id, headers, now);
    call.setHeader(HEADER.activeStream, activeStream);
    return reply;
  });

  handle(
    app,
    deps,
    saveAnswer,
    async (call) => {
      const { caller, params } = call;
      const found = await findKnown(params.id);
      const content = found ? await loadContent(deps.pool, found.facts.contentId) : null;
      const arrived = arrivingAnswer(call.headers, call.body, content, deps.newId, call.now);
      // What the server had before a restore comes back whole, and only once.
      const isProven = provenClaims(deps, caller.userId, params.id, arrived) !== null;
      if (!found) {
        if (!isProven) limits.spend(caller.userId, arrived);
        return ofUnknownAttempt(call, arrived, answerEffects);
      }
      const { facts, use } = found;
      if (facts.userId !== caller.userId) throw new Refusal('NOT_FOUND');
      const arriving = isProven
        ? arrived
        : await limits.admitAnswer(caller.userId, params.id, use, arrived);
      const isUsual = !arriving.misfit && arriving.folded.length === 0 && !arriving.oldReceipt;
      const fast = isUsual && (await fastAnswer(deps, facts, caller.userId, arriving));
      if (fast) return settle(call, { kind: 'receipt', ...fast });
      return byTheRules(call, arriving, answerEffects, 'share');
    },
    { body: 'unchecked' },
  );

  handle(app, deps, finishAttempt, async (call) => {
    const found = await findKnown(call.params.id);
    const arrived = arrivingFinish(call.headers, deps.newId, call.now);
    const given = givenUp(call.headers);
    if (!found) return ofUnknownAttempt(call, arrived, finishEffects(given));
    if (found.facts.userId !== call.caller.userId) throw new Refusal('NOT_FOUND');
    const { arriving, devicesWord } = await limits.admitFinish(
      call.params.id,
      found.use,
      arrived,
      given,
    );
    return byTheRules(call, arriving, finishEffects(devicesWord), 'update');
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
