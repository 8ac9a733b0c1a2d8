import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  type AiEvent,
  type AiFailure,
  draftQuestions,
  getAiStatus,
  reviseQuestion,
} from '#contract/ai.ts';
import type { QuestionKind } from '#contract/bank.ts';
import { ERRORS } from '#contract/errors.ts';
import { wireKindLabel } from '#domain/labels-kinds.ts';
import type { AiSettings, Deps } from '#server/deps.ts';
import { type RouteCall, handle } from '#server/http/handle.ts';
import { createSemaphore } from '#server/http/semaphore.ts';
import { Refusal, invalid } from '#server/http/refusal.ts';
import { handleStream, type Listening, type Sink } from '#server/http/stream.ts';
import { spendAiRequest } from './budget.ts';
import { picturesOf } from './drafted.ts';
import { isAiKind } from './kinds/ai-kinds.ts';
import { draftMessages, reviseMessages } from './prompt.ts';
import { write, type GenerationOptions } from './writing.ts';

/** Concurrent generations of one account. */
const WRITINGS_EACH = 2;
const TRY_AGAIN_SECONDS = 15;
const BUSY_MESSAGE = 'Уже пишутся два ответа ИИ. Дождитесь их или остановите один';
/** Characters that a client may fall behind. */
const KEEP_ALL = 4 * 1024 * 1024;
/** A provider may reason for minutes; milliseconds. */
const ALIVE_EVERY_MS = 10_000;

/** The provider has written nothing: the request is given back. */
const UNANSWERED: readonly AiFailure[] = ['unreachable', 'unauthorized', 'rateLimited'];

/** The sink of either route. */
interface Listener extends Pick<Sink<typeof draftQuestions>, 'alive' | 'end'> {
  send(event: AiEvent): void;
}

/** @throws {Refusal} a provider cannot write questions of one of the kinds */
function requireAiKinds(field: string, kinds: readonly QuestionKind[]): void {
  const unknown = kinds.filter((kind) => !isAiKind(kind));
  if (unknown.length === 0) return;
  const names = unknown.map((kind) => `«${wireKindLabel(kind)}»`).join(', ');
  throw invalid([{ field, message: `ИИ не пишет вопросов вида ${names}` }]);
}

/** @throws {Refusal} no provider is configured */
function requireProvider({ settings: { ai } }: Deps): AiSettings {
  if (!ai) throw new Refusal('AI_NOT_CONFIGURED');
  return ai;
}

/** Starts generations, within the limits of an account. */
function createGeneration(deps: Deps) {
  const draftSlots = createSemaphore(WRITINGS_EACH, {
    retryAfterSeconds: TRY_AGAIN_SECONDS,
    message: BUSY_MESSAGE,
  });

  /** Takes a slot and a request of the day. */
  async function admit({ caller, now }: Pick<RouteCall<typeof draftQuestions>, 'caller' | 'now'>) {
    const release = draftSlots.take(caller.userId);
    const { ai, schoolTimezone } = deps.settings;
    try {
      const budget = { perDay: ai?.requestsPerDay ?? 0, timeZone: schoolTimezone };
      const giveBack = await spendAiRequest(deps.pool, caller.userId, budget, now);
      return { release, giveBack };
    } catch (error) {
      release();
      throw error;
    }
  }

  return async function start(
    call: Pick<RouteCall<typeof draftQuestions>, 'caller' | 'log' | 'now'>,
    settings: AiSettings,
    writing: GenerationOptions,
    sink: Listener,
  ): Promise<Listening> {
    const { log } = call;
    const { release, giveBack } = await admit(call);
    const abort = new AbortController();
    const alive = setInterval(() => sink.alive(), ALIVE_EVERY_MS);
    const sendEvent = (event: AiEvent) => {
      // Neither the request nor the generated text is logged.
      if (event.kind === 'failed') {
        log.warn({ failure: event.failure }, 'no drafts');
        if (UNANSWERED.includes(event.failure))
          giveBack().catch((error: unknown) => log.warn({ err: error }, 'a request stays counted'));
      }
      sink.send(event);
    };
    // The first event is sent before the provider starts, so that the client knows the request was accepted.
    sendEvent({ kind: 'progress', characters: 0 });
    write(settings, writing, sendEvent, abort.signal)
      .catch((error: unknown) => {
        log.error({ err: error }, 'drafts broke off');
        const { message } = ERRORS.INTERNAL;
        sendEvent({ kind: 'failed', failure: 'badReply', message, retryAfterSeconds: null });
      })
      .finally(() => {
        clearInterval(alive);
        sink.end();
      });
    return {
      isAllowed: async () => true,
      stop() {
        clearInterval(alive);
        abort.abort();
        release();
      },
    };
  };
}

type StartGeneration = ReturnType<typeof createGeneration>;

/** Question drafts by a provider. */
export function registerAi(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, getAiStatus, async () => {
    const { ai } = deps.settings;
    return {
      configured: ai !== null,
      model: ai?.model ?? null,
      host: ai ? new URL(ai.baseUrl).host : null,
    };
  });

  const start = createGeneration(deps);
  registerDrafts(app, deps, start);
  registerRevision(app, deps, start);
}

function registerDrafts(app: FastifyInstance, deps: Deps, start: StartGeneration): void {
  handleStream(
    app,
    deps,
    draftQuestions,
    async (call, sink) => {
      const settings = requireProvider(deps);
      const { body } = call;
      if (body.topic === '' && body.source === '') {
        throw invalid([{ field: 'topic', message: 'Назовите тему или вставьте текст' }]);
      }
      requireAiKinds('kinds', body.kinds);
      const messages = draftMessages(body, deps.newId());
      const { kinds, count } = body;
      const rules = { kinds, count, pictures: new Set<string>(), newId: randomUUID };
      return start(call, settings, { ...rules, messages }, sink);
    },
    { keepAll: KEEP_ALL },
  );
}

function registerRevision(app: FastifyInstance, deps: Deps, start: StartGeneration): void {
  handleStream(
    app,
    deps,
    reviseQuestion,
    async (call, sink) => {
      const settings = requireProvider(deps);
      const { question, wish, wishes } = call.body;
      if (wish === 'own' && wishes === '') {
        throw invalid([{ field: 'wishes', message: 'Напишите, что изменить' }]);
      }
      requireAiKinds('question', [question.kind]);
      const messages = reviseMessages(call.body, deps.newId());
      const writing: GenerationOptions = {
        kinds: [question.kind],
        count: 1,
        pictures: picturesOf(question),
        newId: randomUUID,
        messages,
      };
      return start(call, settings, writing, sink);
    },
    { keepAll: KEEP_ALL },
  );
}
