import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Answer } from '#contract/answers.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { browserTimers } from '#app/api/timers.ts';
import type { AttemptView, QuestionView } from '#app/outbox/types.ts';
import type { AnswerStore } from '#app/questions/answer-field.ts';
import { createGivenAnswers, type GivenAnswers } from './given-answers.ts';
import { createTyping, type Typing } from './typing.ts';
import { useAttemptFiles, type AttemptFiles } from './use-file-picks.ts';
import { writeProblem } from './write-problem.ts';

const UNWRITTEN = 'Не удалось записать ответ. Не уходите с вопроса и повторите.';

export interface Answering extends AnswerStore {
  /** The displayed answer: updated optimistically, its stage only once stored. To render it: `useShownAnswer`. */
  shown(question: QuestionView): QuestionView;
  /** Whose changes change the displayed answers. */
  given: Pick<GivenAnswers, 'subscribe' | 'version'>;
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

/** Why an answer could not be written. */
interface Unwritten {
  readonly questionId: string;
  readonly message: string;
}

/** Why the last answer could not be written. The message is withdrawn once the answer is written after all. */
function useWriteProblem() {
  const [problem, setProblem] = useState<Unwritten | null>(null);
  return {
    message: problem?.message ?? null,
    report(questionId: string, cause: unknown) {
      const message = writeProblem(cause, UNWRITTEN);
      // A message that is shown already is neither spoken nor focused again.
      setProblem((last) =>
        last?.questionId === questionId && last.message === message
          ? last
          : { questionId, message },
      );
    },
    clear: () => setProblem(null),
    clearIf: (isOver: (questionId: string) => boolean) =>
      setProblem((last) => (last && isOver(last.questionId) ? null : last)),
  };
}

/** `beforeunload` comes first; at `pagehide` the database is already closed, and `noteTyped` has the text. */
const LEAVING = ['beforeunload', 'pagehide', 'blur'] as const;

/**
 * Typed answers, written after a pause, when the window is left, hidden or closed, and on unmount.
 * @param write that of the first render is used; it reports a failure
 */
function useTyping(write: (answer: Answer) => Promise<void>): Typing {
  const [typing] = useState(() =>
    createTyping({ store: write, onFailure: () => undefined, timers: browserTimers }),
  );
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
  return typing;
}

/** A question with its newest answer: typed, given on this page, or that of the outbox view. */
function withNewestAnswer(
  question: QuestionView,
  typed: Answer | null,
  given: Answer | null,
): QuestionView {
  // Beside unstored text «saved» would refer to the previous one.
  const isUnstored =
    typed !== null && JSON.stringify(typed) !== JSON.stringify(given ?? question.answer);
  const answer = isUnstored ? typed : given;
  // The stage of the question is that of the answer before.
  return answer ? { ...question, answer, stage: 'none', at: null } : question;
}

/** Writes answers through the outbox with an optimistic display; the stage appears once stored. */
export function useAnswering(view: AttemptView): Answering {
  const { outbox } = useDevice();
  const { attemptId, readOnly } = view;
  const [given] = useState(createGivenAnswers);
  useEffect(() => given.forget(view), [given, view]);
  const problem = useWriteProblem();
  const [files, picks] = useAttemptFiles(attemptId);
  const typing = useTyping(async (answer) => {
    const { questionId } = answer;
    try {
      given.put(answer, await outbox.answer(attemptId, answer));
    } catch (cause) {
      problem.report(questionId, cause);
      throw cause;
    }
    problem.clearIf((id) => id === questionId);
  });
  useEffect(() => {
    if (readOnly !== null) return;
    typing.reopen();
    files.reopen();
  }, [typing, files, readOnly]);

  return {
    given,
    problem: problem.message,
    commit: () =>
      typing.commit().then(
        () => true,
        () => false,
      ),
    closeTyping: typing.close,
    reopenTyping: typing.reopen,
    shown(question) {
      const { questionId } = question;
      // Closed inputs show only what is stored.
      const isOpen = readOnly === null || readOnly === 'timeOver';
      const typed = isOpen ? typing.answerOf(questionId) : null;
      return withNewestAnswer(question, typed, given.get(questionId, view));
    },
    choose(answer) {
      const { questionId } = answer;
      problem.clear();
      given.put(answer, null);
      outbox.answer(attemptId, answer).then(
        (stored) => given.markStored(answer, stored),
        (cause: unknown) => {
          given.remove(questionId);
          problem.report(questionId, cause);
        },
      );
    },
    changeFiles(questionId, change) {
      problem.clear();
      outbox
        .changeFiles(attemptId, questionId, change)
        .catch((cause: unknown) => problem.report(questionId, cause));
    },
    files,
    picks,
    type(answer) {
      // The message stays while the typed text is not written yet.
      problem.clearIf((id) => typing.answerOf(id) === null);
      if (typing.type(answer)) outbox.noteTyped(view, answer);
      given.notify();
    },
  };
}

/** The displayed answer to a question; a change renders only the component that calls it. */
export function useShownAnswer(answering: Answering, stored: QuestionView): QuestionView {
  const { subscribe, version } = answering.given;
  useSyncExternalStore(subscribe, version);
  return answering.shown(stored);
}
