import { useEffect, useRef, useState } from 'react';
import { draftQuestions } from '#contract/ai.ts';
import type { Question } from '#contract/questions.ts';
import { watch } from '#app/api/watch-call.ts';
import { askBody, type AskForm } from './ask-form.ts';
import type { Work, WorkKeeper } from './kept-work.ts';
import { type Ending, listen } from './listen.ts';
import { type Drafts, idOf, undecided, withDraft, withRejected } from './work.ts';

/** What is being written now. */
export interface Progress {
  readonly wanted: number;
  readonly came: number;
  readonly characters: number;
}

export interface Drafting extends Work {
  readonly setForm: (form: AskForm) => void;
  readonly setDrafts: (change: (drafts: Drafts) => Drafts) => void;
  /** Null: nothing is being written. */
  readonly progress: Progress | null;
  /** How the last piece of writing of this visit ended. */
  readonly ending: (Ending & { readonly came: number }) | null;
  /** Asks for so many questions by the form. */
  readonly start: (count: number) => void;
  readonly stop: () => void;
  /** What came is not kept over a reload. */
  readonly isUnkept: boolean;
}

/** The drafts of one test: what was asked, what came, and what is on its way. */
export function useDrafting(keeper: WorkKeeper, inTest: readonly Question[]): Drafting {
  const [work, setWork] = useState<Work>(() => {
    const kept = keeper.read();
    const ids = new Set(inTest.map(({ questionId }) => questionId));
    return { ...kept, drafts: undecided(kept.drafts, ids) };
  });
  const [progress, setProgress] = useState<Progress | null>(null);
  const [ending, setEnding] = useState<Drafting['ending']>(null);
  const [isUnkept] = useState(() => !keeper.keep(work));
  const abort = useRef<AbortController | null>(null);
  useEffect(() => {
    keeper.keep(work);
  }, [keeper, work]);
  useEffect(() => () => abort.current?.abort(), []);

  const setDrafts: Drafting['setDrafts'] = (change) =>
    setWork((now) => ({ ...now, drafts: change(now.drafts) }));

  async function run(count: number): Promise<void> {
    const own = new AbortController();
    abort.current?.abort();
    abort.current = own;
    let came = 0;
    const known = [
      ...inTest,
      ...work.drafts.pending
        .filter((draft) => !inTest.some(({ questionId }) => questionId === idOf(draft)))
        .map(({ question }) => question),
    ];
    setEnding(null);
    setProgress({ wanted: count, came, characters: 0 });
    const ended = await listen(
      watch,
      draftQuestions,
      { body: askBody(work.form, count, known) },
      {
        signal: own.signal,
        onQuestion(question) {
          came += 1;
          setDrafts((drafts) => ({ ...withDraft(drafts, question), missing: count - came }));
          setProgress((now) => now && { ...now, came });
        },
        onRejected: ({ reason, raw }) =>
          setDrafts((drafts) => withRejected(drafts, { reason, raw })),
        onProgress: (characters) => setProgress((now) => now && { ...now, characters }),
      },
    );
    // A newer piece of writing tells its own.
    if (abort.current !== own) return;
    abort.current = null;
    setProgress(null);
    setEnding({ ...ended, came });
    const isWhole = ended.kind === 'stopped' || came >= count;
    setDrafts((drafts) => ({ ...drafts, missing: isWhole ? 0 : count - came }));
  }

  return {
    ...work,
    setForm: (form) => setWork((now) => ({ ...now, form })),
    setDrafts,
    progress,
    ending,
    start: (count) => void run(count),
    stop: () => abort.current?.abort(),
    isUnkept,
  };
}
