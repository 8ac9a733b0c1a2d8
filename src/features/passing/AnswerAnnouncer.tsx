import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { answerStateLabel } from '#domain/labels-answer.ts';
import type { QuestionView } from '#app/outbox/types.ts';
import { isSpoken, announcementOf } from '#app/questions/answer-inputs.ts';
import { Announcer } from '#app/ui/Announcer.tsx';

/** A choice is spoken together with the first stage that its answer reaches. */
const AFTER_CHOICE_MS = 500;
/** Continued typing is not interrupted by speech. */
const AFTER_PAUSE_MS = 2_000;

const SPOKEN_STAGES: readonly string[] = ['device', 'server', 'setAside', 'unsaved'];

/**
 * Speaks the choice in the current question, and where its answer is stored, once each: not while somebody types, and
 * not what was stored before.
 */
export function AnswerAnnouncer({
  shown,
  labelledBy,
}: {
  shown: QuestionView;
  labelledBy: string;
}) {
  const [words, setWords] = useState('');
  const { questionId, answer, stage } = shown;
  const answerKey = JSON.stringify(answer);
  const last = useRef({ questionId, answerKey, stage });

  const isTapped = answer !== null && isSpoken(answer);
  const speak = useEffectEvent((isChanged: boolean) => {
    last.current = { questionId, answerKey, stage };
    const what = isChanged && answer ? announcementOf(answer, labelledBy) : '';
    const where = SPOKEN_STAGES.includes(stage) ? answerStateLabel(stage) : '';
    const next = [what, where].filter(Boolean).join('. ');
    // A live region does not speak a message that repeats the last one exactly.
    if (next !== '') setWords((spoken) => (spoken === next ? `${next}\u00a0` : next));
  });

  useEffect(() => {
    const before = last.current;
    const isOther = before.questionId !== questionId;
    const isChanged = before.answerKey !== answerKey;
    // The text about another question or a former answer is removed, so that nobody reads it as if it were about this
    // one.
    if (isOther || isChanged) setWords('');
    if (isOther) {
      last.current = { questionId, answerKey, stage };
      return;
    }
    if (!isChanged && before.stage === stage) return;
    const wait = isChanged && isTapped ? AFTER_CHOICE_MS : AFTER_PAUSE_MS;
    const timer = setTimeout(() => speak(isChanged), wait);
    return () => clearTimeout(timer);
  }, [questionId, answerKey, stage, isTapped]);

  return <Announcer words={words} />;
}
