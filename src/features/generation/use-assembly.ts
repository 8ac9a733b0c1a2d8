import { startTransition, useRef, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { saveGeneration, type Generation, type QuestionTemplate } from '#contract/templates.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import {
  anotherFor,
  assemble,
  removed,
  replaced,
  type Assembly,
  type DrawnQuestion,
  type AssemblyProgress,
} from './assembly.ts';

export interface AssemblyState {
  readonly assembly: Assembly | null;
  /** Null: no draw is running. */
  readonly progress: AssemblyProgress | null;
  /** The settings of the draw could not be stored with the test. */
  readonly isUnsaved: boolean;
  /** Messages by question id. */
  readonly notes: ReadonlyMap<string, string>;
  /** Rejects with `ApiFailure`; also resolves when it is stopped. */
  readonly draw: (generation: Generation, templates: readonly QuestionTemplate[]) => Promise<void>;
  readonly stop: () => void;
  readonly replace: (item: DrawnQuestion) => void;
  readonly remove: (item: DrawnQuestion) => void;
}

const NO_OTHER = 'Другого такого вопроса нет';

function withNote(
  notes: ReadonlyMap<string, string>,
  id: string,
  message: string | null,
): ReadonlyMap<string, string> {
  const next = new Map(notes);
  next.delete(id);
  if (message !== null) next.set(id, message);
  return next;
}

/** Draws questions for a test and stores them in state during the review. */
export function useAssembly(testId: string, inTest: readonly Question[]): AssemblyState {
  const [assembly, setAssembly] = useState<Assembly | null>(null);
  const [progress, setProgress] = useState<AssemblyProgress | null>(null);
  const [isUnsaved, setUnsaved] = useState(false);
  const [notes, setNotes] = useState<ReadonlyMap<string, string>>(new Map());
  const running = useRef<AbortController>(null);

  const note = (id: string, message: string | null) =>
    setNotes((now) => withNote(now, id, message));

  const draw = async (generation: Generation, templates: readonly QuestionTemplate[]) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setNotes(new Map());
    setProgress({ done: 0, total: 0 });
    try {
      const drawn = await assemble(generation, {
        templates,
        inTest,
        signal,
        onProgress: setProgress,
      });
      // Rendering formulas is slow: in a transition the page stays responsive.
      startTransition(() => {
        setAssembly(drawn);
        setProgress(null);
      });
      // The draw is valid even if its seed cannot be stored.
      call(saveGeneration, { params: { id: testId }, body: { generation } }).then(
        () => setUnsaved(false),
        () => setUnsaved(true),
      );
    } catch (cause) {
      if (signal.aborted) return;
      setProgress(null);
      throw cause;
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
      note(questionId, describeFailure(cause));
    }
  };

  return {
    assembly,
    progress,
    isUnsaved,
    notes,
    draw,
    stop() {
      running.current?.abort();
      setProgress(null);
    },
    replace: (item) => void replace(item),
    remove: (item) => setAssembly((now) => now && removed(now, item)),
  };
}
