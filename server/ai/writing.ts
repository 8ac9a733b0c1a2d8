import type { AiEvent } from '#contract/ai.ts';
import type { AiSettings } from '#server/deps.ts';
import { type DraftRules, drafted, withoutWrapper } from './drafted.ts';
import { ProviderFailure } from './failure.ts';
import { createObjectReader } from './objects.ts';
import type { Message } from './prompt.ts';
import { askProvider } from './provider.ts';

export interface GenerationOptions extends DraftRules {
  readonly messages: readonly Message[];
  /** Generation stops after this number of valid questions. */
  readonly count: number;
}

/** Limits on what one generation sends. */
const MAX_REJECTED = 60;
const RAW_CHARACTERS = 300;
const QUOTE_CHARACTERS = 160;
const PROGRESS_EVERY_MS = 400;

const EMPTY_MESSAGE = 'Провайдер ничего не написал. Повторите или опишите тему подробнее';

/**
 * Generates questions and sends the events, ending with `done` or `failed`. Sends nothing once `signal` is
 * aborted. Throws only internal errors.
 */
export async function write(
  settings: AiSettings,
  { messages, count, ...rules }: GenerationOptions,
  emit: (event: AiEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  let questions = 0;
  let rejected = 0;
  let characters = 0;
  let reportedAt = 0;
  /** The beginning of the text, quoted where no object came. */
  let beginning = '';

  const reject = (reason: string, raw: string) => {
    rejected += 1;
    if (rejected <= MAX_REJECTED) {
      emit({ kind: 'rejected', reason, raw: raw.slice(0, RAW_CHARACTERS) });
    }
  };
  const reader = createObjectReader({
    onObject(value, raw) {
      for (const one of withoutWrapper(value)) {
        if (questions >= count || signal.aborted) return;
        const { question, reason } = drafted(one, rules);
        if (!question) {
          reject(reason, raw);
          continue;
        }
        questions += 1;
        emit({ kind: 'question', question });
      }
      if (questions >= count) enough.abort();
    },
    onBroken: (raw) => reject('запись оборвана или испорчена', raw),
  });
  const progress = () => {
    const now = performance.now();
    if (now - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = now;
    emit({ kind: 'progress', characters });
  };

  let cut = false;
  try {
    for await (const piece of askProvider(settings, messages, either)) {
      if (piece.kind === 'end') {
        cut = piece.cut;
        continue;
      }
      if (piece.kind === 'thought') {
        characters += piece.characters;
      } else {
        characters += piece.text.length;
        if (beginning.length < QUOTE_CHARACTERS) beginning += piece.text;
        reader.take(piece.text);
      }
      progress();
    }
    if (signal.aborted) return;
    if (!enough.signal.aborted) reader.end();
    if (questions === 0 && rejected === 0) throw nothingCame(beginning);
    emit({ kind: 'done', questions, cut });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (signal.aborted) return;
    reader.end();
    const { failure, message, retryAfterSeconds } = error;
    emit({ kind: 'failed', failure, message, retryAfterSeconds });
  }
}

function nothingCame(beginning: string): ProviderFailure {
  const said = beginning.replaceAll(/\s+/g, ' ').trim().slice(0, QUOTE_CHARACTERS);
  if (said === '') return new ProviderFailure('empty', EMPTY_MESSAGE);
  return new ProviderFailure(
    'badReply',
    `Вместо вопросов провайдер написал: «${said}». Повторите или опишите тему иначе`,
  );
}
