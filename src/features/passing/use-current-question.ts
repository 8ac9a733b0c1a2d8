import { useEffect, useRef, useState, type RefObject } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { takeFocus } from './take-focus.ts';

export interface CurrentQuestion {
  readonly index: number;
  /** A change of the question moves the focus here. */
  readonly headingRef: RefObject<HTMLHeadingElement | null>;
  /** A step beyond the last question was tried here. It leads nowhere: only a button opens the finish dialog. */
  readonly isAtEnd: boolean;
  /** Shows another question, at most the first or the last one, and stores what was typed. */
  readonly go: (index: number) => void;
  readonly next: () => void;
}

/** The question on the screen, remembered on the device. `commit` stores what was typed. */
export function useCurrentQuestion(
  view: AttemptView,
  commit: () => Promise<unknown>,
): CurrentQuestion {
  const { outbox } = useDevice();
  const { attemptId, questions } = view;
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      questions.findIndex(({ questionId }) => questionId === view.lastQuestionId),
    ),
  );
  const [endAt, setEndAt] = useState(-1);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const shown = useRef(index);
  useEffect(() => takeFocus(headingRef.current), []);
  useEffect(() => {
    if (shown.current === index) return;
    shown.current = index;
    window.scrollTo({ top: 0 });
    headingRef.current?.focus({ preventScroll: true });
  });

  const last = questions.length - 1;
  const go = (target: number) => {
    void commit();
    const reached = Math.min(Math.max(0, target), last);
    setIndex(reached);
    const questionId = questions[reached]?.questionId;
    if (questionId) void outbox.setLastQuestion(attemptId, questionId);
  };
  const next = () => {
    if (index < last) go(index + 1);
    else setEndAt(index);
  };
  return { index, headingRef, isAtEnd: endAt === index, go, next };
}
