import { useEffect, useRef, useState } from 'react';
import { draftQuestions } from '#contract/ai.ts';
import type { Question } from '#contract/questions.ts';
import { watch } from '#app/api/watch.ts';
import type { FormDraftStore } from '#app/lib/form-draft.ts';
import { askBody, EMPTY_FORM, type AskForm } from './ask-form.ts';
import { type Ending, readDraftStream } from './read-draft-stream.ts';
import {
  type PendingDrafts,
  idOf,
  NO_DRAFTS,
  undecided,
  withDraft,
  withRejected,
  type AiDraft,
} from './work.ts';

/** The running generation. */
export interface DraftingProgress {
  readonly wanted: number;
  readonly came: number;
  readonly characters: number;
}

export interface DraftingState extends AiDraft {
  readonly setForm: (form: AskForm) => void;
  readonly setDrafts: (change: (drafts: PendingDrafts) => PendingDrafts) => void;
  /** Null: no generation is running. */
  readonly progress: DraftingProgress | null;
  /** How the last generation since mount ended. */
  readonly ending: (Ending & { readonly came: number }) | null;
  /** Requests questions by the form. */
  readonly start: (count: number) => void;
  readonly stop: () => void;
  /** The drafts could not be stored and would be lost on reload. */
  readonly isUnsaved: boolean;
}

/** The drafts of one test: form, received drafts and running generation. */
export function useDrafting(
  workStore: FormDraftStore<AiDraft>,
  inTest: readonly Question[],
): DraftingState {
  const [work, setWork] = useState<AiDraft>(() => {
    const restored = workStore.read() ?? { form: EMPTY_FORM, drafts: NO_DRAFTS };
    const ids = new Set(inTest.map(({ questionId }) => questionId));
    return { ...restored, drafts: undecided(restored.drafts, ids) };
  });
  const [progress, setProgress] = useState<DraftingProgress | null>(null);
  const [ending, setEnding] = useState<DraftingState['ending']>(null);
  const [isUnsaved] = useState(() => !workStore.save(work));
  const abort = useRef<AbortController | null>(null);
  useEffect(() => {
    workStore.save(work);
  }, [workStore, work]);
  useEffect(() => () => abort.current?.abort(), []);

  const setDrafts: DraftingState['setDrafts'] = (change) =>
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
    const ended = await readDraftStream(
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
    // A newer generation reports its own end.
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
    isUnsaved,
  };
}
