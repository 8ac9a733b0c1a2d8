import type { AiEvent, draftQuestions, reviseQuestion } from '#contract/ai.ts';
import type { Question } from '#contract/questions.ts';
import type { CallInput } from '#contract/route.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { Watcher } from '#app/api/watch.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import type { RejectedDraft } from './work.ts';

/** How a generation ended. */
export type Ending =
  | { readonly kind: 'done'; readonly cut: boolean }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly message: string };

export interface StreamState {
  onQuestion(question: Question): void;
  onRejected?(rejected: RejectedDraft): void;
  /** Characters written so far. */
  onProgress?(characters: number): void;
  readonly signal: AbortSignal;
}

/** The server replies at once; a busy school network may be slower. */
const FIRST_WITHIN_MS = 15_000;
const BROKEN_OFF = 'Связь с сервером прервалась посреди ответа. Повторите';

type AiRoute = typeof draftQuestions | typeof reviseQuestion;

/** Reads one generation stream to its end. Never throws. */
export async function readDraftStream<const R extends AiRoute>(
  watch: Watcher,
  route: R,
  input: CallInput<R>,
  { onQuestion, onRejected, onProgress, signal }: StreamState,
): Promise<Ending> {
  let ending: Ending | null = null;
  const take = (event: AiEvent) => {
    switch (event.kind) {
      case 'progress':
        return onProgress?.(event.characters);
      case 'question':
        return onQuestion(event.question);
      case 'rejected':
        return onRejected?.(event);
      case 'done':
        ending = { kind: 'done', cut: event.cut };
        return undefined;
      case 'failed':
        ending = { kind: 'failed', message: event.message };
        return undefined;
    }
  };
  try {
    await watch<AiRoute>(route, input as CallInput<AiRoute>, {
      onEvent: take,
      signal,
      firstWithinMs: FIRST_WITHIN_MS,
    });
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    // After the final event the connection is not needed.
    const words = error instanceof ApiFailure ? describeFailure(error) : BROKEN_OFF;
    return ending ?? { kind: 'failed', message: words };
  }
  if (signal.aborted) return { kind: 'stopped' };
  return ending ?? { kind: 'failed', message: BROKEN_OFF };
}
