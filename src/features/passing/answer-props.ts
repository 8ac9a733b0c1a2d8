import type { ReactNode } from 'react';
import type { StudentQuestion } from '#contract/questions.ts';
import type { QuestionView } from '#app/outbox/types.ts';
import type { Answering } from './use-answering.ts';

/** Common props of the answer fields of all question kinds. */
export interface QuestionAnswerProps {
  question: StudentQuestion;
  shown: QuestionView;
  answering: Answering;
  locked: boolean;
  /** Formatted time of the answer's stage. */
  at: string | undefined;
  labelledBy: string;
  resolveImage: (key: string) => Promise<string>;
  /** `still`: within a button, where nothing of it can be opened or played. */
  renderText: (text: string, still?: boolean) => ReactNode;
  onNext: () => void;
}
