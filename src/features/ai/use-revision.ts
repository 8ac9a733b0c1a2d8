import { useEffect, useRef, useState } from 'react';
import { type AiWish, reviseQuestion } from '#contract/ai.ts';
import type { Question } from '#contract/questions.ts';
import type { Theme } from '#contract/themes.ts';
import { watch } from '#app/api/watch.ts';
import { readDraftStream } from './read-draft-stream.ts';

export interface Revision {
  readonly isBusy: boolean;
  /** Russian message why there is no new version; null: none. */
  readonly problem: string | null;
  /** Regenerates the question; `onQuestion` receives the new one. */
  readonly ask: (
    question: Question,
    wish: AiWish,
    wishes: string,
    onQuestion: (question: Question) => void,
  ) => void;
  readonly stop: () => void;
}

const NOTHING = 'Годного вопроса не вышло. Повторите или измените пожелание';

/** Regenerates one question by a wish; aborted on unmount. */
export function useRevision(theme: Theme | ''): Revision {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function run(
    question: Question,
    wish: AiWish,
    wishes: string,
    onQuestion: (question: Question) => void,
  ): Promise<void> {
    const own = new AbortController();
    abort.current?.abort();
    abort.current = own;
    let came = false;
    let reason = '';
    setBusy(true);
    setProblem(null);
    const ended = await readDraftStream(
      watch,
      reviseQuestion,
      // Easier and harder are relative to the question, not to the test.
      { body: { theme, difficulty: '', question, wish, wishes: wishes.trim() } },
      {
        signal: own.signal,
        onQuestion(fresh) {
          came = true;
          onQuestion(fresh);
        },
        onRejected: (rejected) => {
          reason = rejected.reason;
        },
      },
    );
    if (abort.current !== own) return;
    abort.current = null;
    setBusy(false);
    if (ended.kind === 'failed') setProblem(ended.message);
    else if (ended.kind === 'done' && !came) {
      setProblem(reason === '' ? NOTHING : `${NOTHING} (${reason})`);
    }
  }

  return {
    isBusy,
    problem,
    ask: (...given) => void run(...given),
    stop: () => abort.current?.abort(),
  };
}
