import { questionLabel, spokenQuestionLabel } from '#domain/question-label.ts';
import { InLanguage } from '#app/ui/rich-text/InLanguage.tsx';
import { SpokenText } from '#app/ui/SpokenText.tsx';

/** A question's name in a line: formulas are shown as characters and spoken as words. */
export function QuestionLabel({
  question,
  characters,
}: {
  question: Parameters<typeof questionLabel>[0];
  /** The limit, if the line has room for more than the default. */
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
