import { useEffect, useRef, useState } from 'react';
import { type AiWish, reviseQuestion } from '#contract/ai.ts';
import type { Question } from '#contract/questions.ts';
import type { Theme } from '#contract/themes.ts';
import { watch } from '#app/api/watch-call.ts';
import { listen } from './listen.ts';

export interface Revision {
  readonly isBusy: boolean;
  /** Why nothing better came, in Russian; null: no reason to say so. */
  readonly problem: string | null;
  /** Has the question written anew; `onQuestion` gets the new one. */
  readonly ask: (
    question: Question,
    wish: AiWish,
    wishes: string,
    onQuestion: (question: Question) => void,
  ) => void;
  readonly stop: () => void;
}

const NOTHING = 'Годного вопроса не вышло. Повторите или измените пожелание';

/** One question anew by a wish; ends when its place on the page goes. */
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
    const ended = await listen(
      watch,
      reviseQuestion,
      // Easier and harder speak of the question itself, not of the test.
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
