import type { Answer } from '#contract/answers.ts';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { ownAnswer } from './answer-inputs.ts';
import type { ReviewProps } from './review.ts';
import { answerReview } from './reviews.ts';

export interface ReviewedAnswerProps extends Omit<ReviewProps, 'question' | 'answer'> {
  question: Question | StudentQuestion;
  answer: Answer | null;
}

/** The student's answer beside the right one, each if the reader may see it. */
export function ReviewedAnswer(props: ReviewedAnswerProps) {
  const { question, answer } = props;
  const { Review } = answerReview(question);
  return <Review {...props} question={question} answer={ownAnswer(question, answer)} />;
}
