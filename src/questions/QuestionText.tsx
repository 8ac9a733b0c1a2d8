import type { Answer } from '#contract/answers.ts';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { readableText } from '#domain/format-gaps.ts';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { AreasText } from '#app/ui/taking/AreasText.tsx';
import { ownAnswer } from './answer-inputs.ts';
import { answerReview } from './reviews.ts';

export interface QuestionTextProps {
  question: Question | StudentQuestion;
  /** Shown on the picture of the text, together with the right answer, if the question is answered there. */
  answer?: Answer | null;
  className?: string | undefined;
}

/** A question's text for reading: numbers replace its gaps, and areas on its picture show the choice. */
export function QuestionText({ question, answer = null, ...text }: QuestionTextProps) {
  const areas = answerReview(question).areas?.(question, ownAnswer(question, answer)) ?? [];
  return areas.length > 0 ? (
    <AreasText {...text} text={question.text} areas={areas} />
  ) : (
    <RichText {...text} text={readableText(question)} />
  );
}
