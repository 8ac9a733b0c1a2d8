import { useEffect, useRef, useState } from 'react';
import type { Answer } from '#contract/answers.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { logProblem } from '#app/offline/log.ts';
import { browserTimers } from '#app/outbox/surroundings.ts';
import { OutboxRefusal, type AttemptView, type QuestionView } from '#app/outbox/types.ts';
import { createTyping, type Typing } from './typing.ts';

/** An answer as it was tapped, until the outbox's own view shows it. */
interface Tapped {
  readonly answer: Answer;
  readonly stored: boolean;
}

export interface Answering {
  /** What the question shows now: the tap at once, its stage only when stored. */
  shown(question: QuestionView): QuestionView;
  choose(answer: Answer): void;
  pickFile(questionId: string, file: File): void;
  /** Stores what is typed at once; resolves when it lies on the device, or the trouble was said. */
  commit(): Promise<void>;
  /** From this moment on no key counts: zero time, the finish. */
  closeTyping(): void;
  /** The finish could not be written. */
  reopenTyping(): void;
  /** Text of a question: what is typed, else what is stored; closed inputs show the stored alone. */
  textOf(question: QuestionView): string;
  type(questionId: string, text: string): void;
  /** Why the last answer could not be taken, in words. */
  problem: string | null;
}

const REFUSED: Readonly<Record<OutboxRefusal['reason'], string>> = {
  unknownAttempt: 'Этой попытки на устройстве нет. Откройте тест ещё раз.',
  finished: 'Тест завершён: ответы закрыты для правки.',
  takenOver: 'Тест продолжается на другом устройстве: отвечайте там.',
  gone: 'Преподаватель удалил эту попытку.',
  fileRefused: 'Такой файл не подойдёт. Выберите другой.',
};

/** Writes answers through the outbox; every tap shows at once and says where it is only when stored. */
export function useAnswering(view: AttemptView): Answering {
  const { outbox } = useDevice();
  const { attemptId } = view;
  const [tapped, setTapped] = useState<ReadonlyMap<string, Tapped>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  const [, redraw] = useState(0);

  const explain = (cause: unknown) => {
    if (cause instanceof OutboxRefusal) setProblem(cause.explanation ?? REFUSED[cause.reason]);
    else {
      logProblem('Ответ не записан', { cause });
      setProblem('Не удалось записать ответ. Не уходите с вопроса и повторите.');
    }
  };

  const [typing] = useState(() =>
    createTyping(
      (questionId, text) => outbox.answer(attemptId, { questionId, kind: 'open', text }),
      browserTimers,
    ),
  );

  const { readOnly } = view;
  useEffect(() => {
    if (readOnly === null) typing.reopen();
  }, [typing, readOnly]);

  // A new view holds every answer that was stored before it was read.
  const [seen, setSeen] = useState(view);
  if (seen !== view) {
    setSeen(view);
    const unstored = [...tapped].filter(([, tap]) => !tap.stored);
    if (unstored.length < tapped.size) setTapped(new Map(unstored));
  }

  const write = (questionId: string, answer: Answer | null, store: () => Promise<unknown>) => {
    setProblem(null);
    if (answer) setTapped((map) => new Map(map).set(questionId, { answer, stored: false }));
    store().then(
      () =>
        setTapped((map) =>
          answer && map.get(questionId)?.answer === answer
            ? new Map(map).set(questionId, { answer, stored: true })
            : map,
        ),
      (cause: unknown) => {
        setTapped((map) => new Map([...map].filter(([id]) => id !== questionId)));
        explain(cause);
      },
    );
  };

  useStoreOnLeaving(typing, explain);

  const storedText = ({ answer }: QuestionView) => (answer?.kind === 'open' ? answer.text : '');
  const textOf = (question: QuestionView) => {
    const isOpen = readOnly === null || readOnly === 'timeOver';
    return (isOpen ? typing.textOf(question.questionId) : null) ?? storedText(question);
  };

  return {
    problem,
    commit: () => typing.commit().catch(explain),
    closeTyping: typing.close,
    reopenTyping: typing.reopen,
    shown(question) {
      // Beside a text that is not stored yet «saved» would speak of the one before it.
      if (textOf(question) !== storedText(question))
        return { ...question, stage: 'none', at: null };
      const tap = tapped.get(question.questionId);
      if (!tap || tap.stored) return tap ? { ...question, answer: tap.answer } : question;
      return { ...question, answer: tap.answer, stage: 'none', at: null };
    },
    choose: (answer) => write(answer.questionId, answer, () => outbox.answer(attemptId, answer)),
    pickFile: (questionId, file) =>
      write(questionId, null, async () => {
        const bytes = new Uint8Array(await file.arrayBuffer());
        await outbox.addFile(attemptId, questionId, {
          name: file.name,
          mimeType: file.type,
          bytes,
        });
      }),
    textOf,
    type(questionId, text) {
      setProblem(null);
      typing.type(questionId, text);
      redraw((n) => n + 1);
    },
  };
}

/** At hide, page leave and unmount there must be nothing left to store. */
function useStoreOnLeaving(typing: Typing, explain: (cause: unknown) => void): void {
  const latest = useRef(explain);
  useEffect(() => {
    latest.current = explain;
  });
  useEffect(() => {
    const commit = () => void typing.commit().catch((cause: unknown) => latest.current(cause));
    window.addEventListener('pagehide', commit);
    document.addEventListener('visibilitychange', commit);
    return () => {
      window.removeEventListener('pagehide', commit);
      document.removeEventListener('visibilitychange', commit);
      commit();
    };
  }, [typing]);
}
