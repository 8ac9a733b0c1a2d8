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

type Emit = (event: AiEvent) => void;

/** Turns the objects of a text into events, until there are enough questions. */
function createCollector(
  { count, rules }: { readonly count: number; readonly rules: DraftRules },
  emit: Emit,
  { signal, onEnough }: { readonly signal: AbortSignal; readonly onEnough: () => void },
) {
  let questions = 0;
  let rejected = 0;
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
      if (questions >= count) onEnough();
    },
    onBroken: (raw) => reject('запись оборвана или испорчена', raw),
  });
  return { reader, questions: () => questions, isEmpty: () => questions === 0 && rejected === 0 };
}

/** Reports the number of characters, at most once in `PROGRESS_EVERY_MS`. */
function createProgress(emit: Emit) {
  let characters = 0;
  let reportedAt = 0;
  return (added: number) => {
    characters += added;
    const now = performance.now();
    if (now - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = now;
    emit({ kind: 'progress', characters });
  };
}

/**
 * Generates questions and sends the events, ending with `done` or `failed`. Sends nothing once `signal` is
 * aborted. Throws only internal errors.
 */
export async function write(
  settings: AiSettings,
  { messages, count, ...rules }: GenerationOptions,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const onEnough = () => enough.abort();
  const { reader, questions, isEmpty } = createCollector({ count, rules }, emit, {
    signal,
    onEnough,
  });
  const report = createProgress(emit);
  /** The beginning of the text, quoted where no object came. */
  let beginning = '';
  let cut = false;
  try {
    for await (const piece of askProvider(settings, messages, either)) {
      if (piece.kind === 'end') {
        cut = piece.cut;
      } else if (piece.kind === 'thought') {
        report(piece.characters);
      } else {
        if (beginning.length < QUOTE_CHARACTERS) beginning += piece.text;
        reader.take(piece.text);
        report(piece.text.length);
      }
    }
    if (signal.aborted) return;
    if (!enough.signal.aborted) reader.end();
    if (isEmpty()) throw nothingCame(beginning);
    emit({ kind: 'done', questions: questions(), cut });
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
