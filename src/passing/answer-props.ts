import type { ReactNode } from 'react';
import type { StudentQuestion } from '#contract/questions.ts';
import type { QuestionView } from '#app/outbox/types.ts';
import type { Answering } from './use-answering.ts';

/** What the field of an answer gets, whatever the kind of its question. */
export interface QuestionAnswerProps {
  question: StudentQuestion;
  shown: QuestionView;
  answering: Answering;
  locked: boolean;
  /** The time of the answer's stage, ready to read. */
  at: string | undefined;
  labelledBy: string;
  renderText: (text: string) => ReactNode;
  onNext: () => void;
}
