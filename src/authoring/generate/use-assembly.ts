import { startTransition, useRef, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { saveGeneration, type Generation, type QuestionTemplate } from '#contract/templates.ts';
import { call } from '#app/api/call.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import {
  anotherFor,
  assemble,
  removed,
  replaced,
  type Assembly,
  type DrawnQuestion,
  type Progress,
} from './assembly.ts';

export interface AssemblyState {
  readonly assembly: Assembly | null;
  /** Null: nothing is being drawn. */
  readonly progress: Progress | null;
  /** Why there is no draw; null: nothing went wrong. */
  readonly problem: string | null;
  /** How it was assembled could not be kept with the test. */
  readonly isUnkept: boolean;
  /** Words at a question, by its id. */
  readonly notes: ReadonlyMap<string, string>;
  readonly draw: (generation: Generation, templates: readonly QuestionTemplate[]) => void;
  readonly stop: () => void;
  readonly replace: (item: DrawnQuestion) => void;
  readonly remove: (item: DrawnQuestion) => void;
}

const NO_OTHER = 'Другого такого вопроса нет';

/** Draws questions for a test and keeps what was drawn while it is looked over. */
export function useAssembly(testId: string, inTest: readonly Question[]): AssemblyState {
  const [assembly, setAssembly] = useState<Assembly | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isUnkept, setUnkept] = useState(false);
  const [notes, setNotes] = useState<ReadonlyMap<string, string>>(new Map());
  const running = useRef<AbortController>(null);

  const note = (id: string, words: string | null) =>
    setNotes((now) => {
      const next = new Map(now);
      next.delete(id);
      if (words !== null) next.set(id, words);
      return next;
    });

  const run = async (generation: Generation, templates: readonly QuestionTemplate[]) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setProblem(null);
    setNotes(new Map());
    setProgress({ done: 0, total: 0 });
    try {
      const drawn = await assemble(generation, {
        templates,
        inTest,
        signal,
        onProgress: setProgress,
      });
      // Drawing formulas takes a while: the page stays at hand meanwhile.
      startTransition(() => {
        setAssembly(drawn);
        setProgress(null);
      });
      // The draw is there whether or not its seed can be kept.
      call(saveGeneration, { params: { id: testId }, body: { generation } }).then(
        () => setUnkept(false),
        () => setUnkept(true),
      );
    } catch (cause) {
      if (signal.aborted) return;
      setProblem(failureWords(cause));
      setProgress(null);
    }
  };

  const replace = async (item: DrawnQuestion) => {
    const { questionId } = item.question;
    if (!assembly) return;
    note(questionId, null);
    try {
      const next = await anotherFor(assembly, item, inTest);
      if (next) setAssembly((now) => now && replaced(now, item, next));
      else note(questionId, NO_OTHER);
    } catch (cause) {
      note(questionId, failureWords(cause));
    }
  };

  return {
    assembly,
    progress,
    problem,
    isUnkept,
    notes,
    draw: (generation, templates) => void run(generation, templates),
    stop() {
      running.current?.abort();
      setProgress(null);
    },
    replace: (item) => void replace(item),
    remove: (item) => setAssembly((now) => now && removed(now, item)),
  };
}
