import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { isAnswered } from '#domain/answered.ts';
import { keyWords } from '#domain/answer-words.ts';
import { ReviewedChoices, ReviewedPairs, ReviewedText } from '#app/ui/AnswerReview.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import classes from './grading.module.css';
import { ShownFile } from './ShownFile.tsx';

export interface AnswerShownProps {
  question: Question;
  answer: Answer | null;
  resolveImage: (key: string) => Promise<string>;
}

/** What the student answered, beside what the key calls right. */
export function AnswerShown({ question, answer, resolveImage }: AnswerShownProps) {
  const renderText = (text: string) => <RichText inline text={text} resolveImage={resolveImage} />;
  const isNone = !isAnswered(answer);
  const none = isNone && <p className={classes.none}>Без ответа</p>;
  switch (question.kind) {
    case 'variant':
      return (
        <>
          {none}
          <ReviewedChoices
            options={question.options.map(({ optionId, text, isRight, feedback }) => ({
              id: optionId,
              text,
              isRight,
              feedback,
            }))}
            chosen={answer?.kind === 'variant' ? answer.optionIds : []}
            multiple={question.multiple}
            whose="pupil"
            renderText={renderText}
          />
        </>
      );
    case 'compliance':
      return (
        <>
          {none}
          <ReviewedPairs
            left={question.left}
            right={question.right}
            pairs={answer?.kind === 'compliance' ? answer.pairs : []}
            rightPairs={question.pairs}
            whose="pupil"
            renderText={renderText}
          />
        </>
      );
    case 'open': {
      const key = keyWords(question);
      return (
        <>
          {none || (answer?.kind === 'open' && <ReviewedText text={answer.text} whose="pupil" />)}
          {key !== null && (
            <p>
              <span className={classes.dimmed}>По ключу верно:</span> {key}
            </p>
          )}
        </>
      );
    }
    case 'file':
      return none || (answer?.kind === 'file' ? <ShownFile answer={answer} /> : null);
  }
}
