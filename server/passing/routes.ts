import type { FastifyInstance } from 'fastify';
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
import { ownAttempt, readableAttempt } from './access.ts';
import { answerEffects } from './answer.ts';
import { closedIfDue } from './close.ts';
import { loadContent } from './content.ts';
import { fastAnswer } from './fast-answer.ts';
import { findAttempt, type Attempt } from './attempt.ts';
import { finishEffects, givenUp } from './finish.ts';
import { arrivingAnswer, arrivingFinish, type Arriving } from './incoming.ts';
import { receive } from './operation.ts';
import { keepStray, recover } from './recover.ts';
import { savedAnswers } from './saved-answers.ts';
import { start } from './start.ts';
import { hear } from './streams.ts';
import { createUploadStore } from './upload-store.ts';
import { receiveChunk, uploadState } from './uploads.ts';
import type { Verdict } from './verdict.ts';

/** What never changes of an attempt, kept so that a save needs one statement. */
type Facts = Pick<Attempt, 'userId' | 'contentId'>;
const FACTS_KEPT = 10_000;

interface PassingCall {
  readonly caller: Caller;
  readonly params: { readonly id: string };
  setHeader(name: string, value: string): void;
}

function settle(call: PassingCall, verdict: Verdict): Receipt {
  if (verdict.kind === 'refused') throw new Refusal(verdict.code, { details: verdict.details });
  call.setHeader(HEADER.activeStream, verdict.activeStream);
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
    const facts = { userId: attempt.userId, contentId: attempt.contentId };
    known.set(attemptId, facts);
    return facts;
  }

  /** An operation of an attempt that the database does not know: proven by a seal, kept, or not found. */
  async function ofUnknownAttempt(call: PassingCall, arriving: Arriving): Promise<Receipt | null> {
    await recover(deps, call.caller.userId, call.params.id, arriving);
    if (await factsOf(call.params.id)) return null;
    const kept = await keepStray(deps, call.caller.userId, call.params.id, arriving);
    if (!kept) throw new Refusal('NOT_FOUND');
    return kept;
  }

  async function prepare(
    call: PassingCall,
    facts: Facts | null,
    arriving: Arriving,
  ): Promise<Receipt | null> {
    if (facts && facts.userId !== call.caller.userId) throw new Refusal('NOT_FOUND');
    if (!facts) return ofUnknownAttempt(call, arriving);
    if (arriving.oldReceipt) await recover(deps, call.caller.userId, call.params.id, arriving);
    return null;
  }

  handle(app, deps, startAttempt, (call) =>
    start(deps, call.caller, call.params.id, call.headers, call.now),
  );

  handle(
    app,
    deps,
    saveAnswer,
    async (call) => {
      const facts = await factsOf(call.params.id);
      const content = facts ? await loadContent(deps.pool, facts.contentId) : null;
      const arriving = arrivingAnswer(call.headers, call.body, content, deps.newId, call.now);
      const stray = await prepare(call, facts, arriving);
      if (stray) return stray;
      const isUsual = !arriving.misfit && arriving.folded.length === 0 && !arriving.oldReceipt;
      const fast =
        isUsual && (await fastAnswer(deps, call.caller.userId, call.params.id, arriving));
      if (fast) return settle(call, { kind: 'receipt', ...fast });
      return settle(call, await receive(deps, call.params.id, arriving, answerEffects, 'share'));
    },
    { body: 'unchecked' },
  );

  handle(app, deps, finishAttempt, async (call) => {
    const facts = await factsOf(call.params.id);
    const arriving = arrivingFinish(call.headers, deps.newId, call.now);
    const stray = await prepare(call, facts, arriving);
    if (stray) return stray;
    const effects = finishEffects(givenUp(call.headers));
    return settle(call, await receive(deps, call.params.id, arriving, effects, 'update'));
  });

  handle(app, deps, getSavedAnswers, async (call) => {
    const { attempt } = await readableAttempt(deps.pool, call.caller, call.params.id);
    const current = await closedIfDue(deps.pool, attempt, call.now);
    const stream = call.headers[HEADER.stream];
    const isOwn = attempt.userId === call.caller.userId;
    if (stream && isOwn)
      await hear(deps.pool, attempt.id, stream, call.headers[HEADER.head] ?? 0, call.now);
    call.setHeader(HEADER.activeStream, current.activeStream);
    return savedAnswers(deps.pool, attempt.id);
  });

  handle(app, deps, uploadChunk, async (call) => {
    const attempt = await ownAttempt(deps.pool, call.caller, call.params.id);
    call.setHeader(HEADER.activeStream, attempt.activeStream);
    const chunk = { ...call.query, fileId: call.params.fileId, bytes: call.bytes };
    return receiveChunk(deps, store, attempt, chunk, call.now);
  });

  handle(app, deps, getUpload, async (call) => {
    const attempt = await ownAttempt(deps.pool, call.caller, call.params.id);
    return uploadState(deps, store, attempt, call.params.fileId);
  });
}
