import type { Question, StudentQuestion } from '#contract/questions.ts';
import { readableText } from '#domain/format-gaps.ts';
import { reviewedChoices } from '#domain/reviewed-choices.ts';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import type { ResolveImage } from '#app/ui/rich-text/pictures.ts';
import { AreasText } from '#app/ui/taking/AreasText.tsx';

export interface QuestionTextProps {
  question: Question | StudentQuestion;
  /** Ids of the options chosen on its picture; what is right is shown with them. */
  chosen?: readonly string[];
  resolveImage?: ResolveImage | undefined;
  className?: string | undefined;
}

/** A question's text to read: numbers stand for its gaps, and areas on its picture show what was chosen. */
export function QuestionText({ question, chosen, ...text }: QuestionTextProps) {
  const areas =
    question.kind === 'variant'
      ? reviewedChoices(question).flatMap(({ id, isRight, area, mark = '' }) => {
          const isChosen = chosen?.includes(id) === true;
          const wrong = isChosen && isRight === false ? ('bad' as const) : undefined;
          const tone = isRight ? ('ok' as const) : wrong;
          return area ? [{ id, mark, area, isChosen, tone }] : [];
        })
      : [];
  return areas.length > 0 ? (
    <AreasText {...text} text={question.text} areas={areas} />
  ) : (
    <RichText {...text} text={readableText(question)} />
  );
}
