import { useEffect, useState } from 'react';
import type { Answer } from '#contract/answers.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { browserTimers } from '#app/api/timers.ts';
import type { AttemptView, QuestionView, StoredOperation } from '#app/outbox/types.ts';
import type { AnswerStore } from '#app/questions/answer-field.ts';
import { createTyping, type Typing } from './typing.ts';
import { useAttemptFiles, type AttemptFiles } from './use-file-picks.ts';
import { writeProblem } from './write-problem.ts';

const UNWRITTEN = 'Не удалось записать ответ. Не уходите с вопроса и повторите.';

/** An answer of this page, until the outbox view contains it. */
interface Tapped {
  readonly answer: Answer;
  readonly stored: StoredOperation | null;
}

export interface Answering extends AnswerStore {
  /** The displayed answer: updated optimistically, its stage only once stored. */
  shown(question: QuestionView): QuestionView;
  files: AttemptFiles;
  /** Stores the typed text now; false: it is not stored, and the error is shown. */
  commit(): Promise<boolean>;
  /** Ignores further input: the deadline passed or the attempt is finished. */
  closeTyping(): void;
  /** Accepts input again: the finish could not be written. */
  reopenTyping(): void;
  /** Message: why the last answer could not be stored. */
  problem: string | null;
}

/** Why an answer could not be written. It is withdrawn when the typed text is written later. */
interface Unwritten {
  readonly questionId: string;
  readonly message: string;
}

/** Writes answers through the outbox with an optimistic display; the stage appears once stored. */
export function useAnswering(view: AttemptView): Answering {
  const { outbox } = useDevice();
  const { attemptId } = view;
  const [tapped, setTapped] = useState<ReadonlyMap<string, Tapped>>(new Map());
  const [problem, setProblem] = useState<Unwritten | null>(null);
  const [, redraw] = useState(0);

  const [files, picks] = useAttemptFiles(attemptId);

  const explain = (questionId: string, cause: unknown) => {
    const message = writeProblem(cause, UNWRITTEN);
    // A message that is shown already is neither spoken nor focused again.
    setProblem((last) =>
      last?.questionId === questionId && last.message === message ? last : { questionId, message },
    );
  };

  const { readOnly, stream } = view;
  const tap = (answer: Answer, stored: StoredOperation | null) =>
    setTapped((map) => new Map(map).set(answer.questionId, { answer, stored }));
  const [typing] = useState(() =>
    createTyping({
      async store(answer) {
        const { questionId } = answer;
        try {
          tap(answer, await outbox.answer(attemptId, answer));
        } catch (cause) {
          explain(questionId, cause);
          throw cause;
        }
        setProblem((last) => (last?.questionId === questionId ? null : last));
      },
      // `store` has reported the reason.
      onFailure: () => undefined,
      timers: browserTimers,
    }),
  );
  useEffect(() => {
    if (readOnly !== null) return;
    typing.reopen();
    files.reopen();
  }, [typing, files, readOnly]);

  // A view that was read before an answer was written may arrive after it, and must not replace it.
  const [seen, setSeen] = useState(view);
  if (seen !== view) {
    setSeen(view);
    const missing = [...tapped].filter(
      ([, { stored }]) => !stored || (stored.stream === stream && stored.sequence > view.head),
    );
    if (missing.length < tapped.size) setTapped(new Map(missing));
  }

  const choose = (answer: Answer) => {
    const { questionId } = answer;
    setProblem(null);
    tap(answer, null);
    outbox.answer(attemptId, answer).then(
      (stored) =>
        setTapped((map) => {
          const own = map.get(questionId);
          return own?.answer === answer ? new Map(map).set(questionId, { ...own, stored }) : map;
        }),
      (cause: unknown) => {
        setTapped((map) => new Map([...map].filter(([id]) => id !== questionId)));
        explain(questionId, cause);
      },
    );
  };

  useStoreOnLeaving(typing);

  /** Closed inputs show only what is stored. */
  const typedAnswer = ({ questionId }: QuestionView) =>
    readOnly === null || readOnly === 'timeOver' ? typing.answerOf(questionId) : null;

  return {
    problem: problem?.message ?? null,
    commit: () =>
      typing.commit().then(
        () => true,
        () => false,
      ),
    closeTyping: typing.close,
    reopenTyping: typing.reopen,
    shown(question) {
      const own = tapped.get(question.questionId);
      const typed = typedAnswer(question);
      // Beside unstored text «saved» would refer to the previous one.
      if (typed && JSON.stringify(typed) !== JSON.stringify(own?.answer ?? question.answer))
        return { ...question, answer: typed, stage: 'none', at: null };
      if (!own) return question;
      // The stage shown is that of the answer before it.
      return { ...question, answer: own.answer, stage: 'none', at: null };
    },
    choose,
    changeFiles(questionId, change) {
      setProblem(null);
      outbox
        .changeFiles(attemptId, questionId, change)
        .catch((cause: unknown) => explain(questionId, cause));
    },
    files,
    picks,
    type(answer) {
      // The message stays while the typed text is not written yet.
      setProblem((last) => (last && typing.answerOf(last.questionId) ? last : null));
      if (typing.type(answer)) outbox.noteTyped(view, answer);
      redraw((n) => n + 1);
    },
  };
}

/** `beforeunload` comes first; at `pagehide` the database is already closed, and `noteTyped` has the text. */
const LEAVING = ['beforeunload', 'pagehide', 'blur'] as const;

/** Stores typed text when the window is left, hidden or closed, and on unmount. */
function useStoreOnLeaving(typing: Typing): void {
  useEffect(() => {
    const commit = () => void typing.commit().catch(() => undefined);
    for (const type of LEAVING) window.addEventListener(type, commit);
    document.addEventListener('visibilitychange', commit);
    return () => {
      for (const type of LEAVING) window.removeEventListener(type, commit);
      document.removeEventListener('visibilitychange', commit);
      commit();
    };
  }, [typing]);
}
