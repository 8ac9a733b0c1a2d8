import type { ComponentType, ReactNode } from 'react';
import type { AnswerOf, Kind, QuestionOf, StudentQuestionOf } from '#domain/kinds/rules.ts';
import type { AnswerOwner } from '#app/ui/taking/AnswerReview.tsx';
import type { ShownArea } from '#app/ui/taking/AreasText.tsx';

/** With its key, if the reader may see it. */
export type ReviewedQuestionOf<K extends Kind> = QuestionOf<K> | StudentQuestionOf<K>;

export interface ReviewProps<K extends Kind = Kind> {
  question: ReviewedQuestionOf<K>;
  /** Null: none, or the reader may not see it. */
  answer: AnswerOf<K> | null;
  /** Whether the question has its key. */
  isKeyShown: boolean;
  owner: AnswerOwner;
  renderFiles: (answer: AnswerOf<'file'>) => ReactNode;
}

/** The review of an answer to a question of one kind, beside the right one. */
export interface AnswerReview<K extends Kind> {
  Review: ComponentType<ReviewProps<K>>;
  /** Accepted answers, if `Review` does not show them at their positions. */
  acceptedLines?(question: ReviewedQuestionOf<K>): string[];
  /** The marks on the picture of the question's text. */
  areas?(question: ReviewedQuestionOf<K>, answer: AnswerOf<K> | null): ShownArea[];
}
