import { useEffect, useRef, useState } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { takeFocus } from './take-focus.ts';

/** The current question, remembered on the device; a change moves focus to its heading. */
export function useCurrentQuestion(view: AttemptView) {
  const { outbox } = useDevice();
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      view.questions.findIndex(({ questionId }) => questionId === view.lastQuestionId),
    ),
  );
  const headingRef = useRef<HTMLHeadingElement>(null);
  const shown = useRef(current);
  useEffect(() => takeFocus(headingRef.current), []);
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    window.scrollTo({ top: 0 });
    headingRef.current?.focus({ preventScroll: true });
  });
  const select = (index: number) => {
    setCurrent(index);
    const questionId = view.questions[index]?.questionId;
    if (questionId) void outbox.setLastQuestion(view.attemptId, questionId);
  };
  return { current, select, headingRef };
}
