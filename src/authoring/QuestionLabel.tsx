import { questionLabel, spokenQuestionLabel } from '#domain/question-label.ts';
import { InLanguage } from '#app/ui/rich-text/InLanguage.tsx';
import { SpokenText } from '#app/ui/SpokenText.tsx';

/** A question's name in a line: formulas in signs for the eye, in words for a screen reader. */
export function QuestionLabel({
  question,
  characters,
}: {
  question: Parameters<typeof questionLabel>[0];
  /** More than a line has room for, where two are shown. */
  characters?: number;
}) {
  return (
    <InLanguage>
      <SpokenText
        shown={questionLabel(question, characters)}
        spoken={spokenQuestionLabel(question, characters)}
      />
    </InLanguage>
  );
}
