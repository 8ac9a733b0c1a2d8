import { IconBulb, IconHistory, IconMessage } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AttemptPreview } from '#contract/results.ts';
import { answerStateShort } from '#domain/labels-answer.ts';
import { answerFeedback } from '#domain/matched-answers.ts';
import {
  ReviewedChoices,
  ReviewedFeedback,
  ReviewedPairs,
  ReviewedText,
  type Whose,
} from '#app/ui/AnswerReview.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { StatePill } from '#app/ui/StatePill.tsx';
import classes from './AttemptPreview.module.css';
import { HandedInFile } from './HandedInFile.tsx';
import { acceptedWords } from './preview-words.ts';
import { itemPoints } from './result-words.ts';
import { VerdictPill } from './VerdictPill.tsx';

type Item = AttemptPreview['items'][number];

interface ItemProps {
  item: Item;
  shows: AttemptPreview['shows'];
  whose: Whose;
  resolveImage: (key: string) => Promise<string>;
}

/** The answer given beside the right one, as far as each is in the reply. */
function Answers({
  item,
  whose,
  renderText,
}: ItemProps & { renderText: (text: string) => ReactNode }) {
  const { question, answer } = item;
  switch (question.kind) {
    case 'variant':
      return (
        <ReviewedChoices
          options={question.options.map((option) => ({
            id: option.optionId,
            text: option.text,
            isRight: 'isRight' in option ? option.isRight : null,
            feedback: 'feedback' in option ? option.feedback : '',
          }))}
          chosen={answer?.kind === 'variant' ? answer.optionIds : []}
          multiple={question.multiple}
          whose={whose}
          renderText={renderText}
        />
      );
    case 'compliance':
      return (
        <ReviewedPairs
          left={question.left}
          right={question.right}
          pairs={answer?.kind === 'compliance' ? answer.pairs : null}
          rightPairs={'pairs' in question ? question.pairs : null}
          whose={whose}
          renderText={renderText}
        />
      );
    case 'open':
      return answer?.kind === 'open' ? (
        <>
          <ReviewedText text={answer.text} whose={whose} />
          {'accepted' in question && (
            <ReviewedFeedback
              text={answerFeedback(question, answer.text)}
              renderText={renderText}
            />
          )}
        </>
      ) : null;
    case 'file':
      return answer?.kind === 'file' ? <HandedInFile answer={answer} /> : null;
  }
}

/** One question of an attempt: text, answer, key, explanation, points and comment, each if it may be seen. */
export function PreviewItem(props: ItemProps) {
  const { item, shows, resolveImage } = props;
  const { number, question, answered, receivedLate, points, verdict, comment } = item;
  const headingId = `preview-${question.questionId}`;
  const accepted = acceptedWords(question);
  const explanation = 'explanation' in question ? question.explanation : undefined;
  const renderText = (text: string) => <RichText inline text={text} resolveImage={resolveImage} />;
  return (
    <article className={classes.item} aria-labelledby={headingId}>
      <header className={classes.head}>
        <h3 id={headingId}>Вопрос {number}</h3>
        {verdict !== null && <VerdictPill verdict={verdict} />}
        {receivedLate && (
          <StatePill icon={IconHistory} tone="warn">
            {answerStateShort('late')}
          </StatePill>
        )}
        <span className={classes.points}>{itemPoints(points, question.points)}</span>
      </header>
      <RichText className={classes.text} text={question.text} resolveImage={resolveImage} />
      <Answers {...props} renderText={renderText} />
      {shows.ownAnswers && !answered && verdict !== 'unanswered' && (
        <p className={classes.dimmed}>{answerStateShort('none')}</p>
      )}
      {accepted.length > 0 && (
        <p className={classes.key}>
          <span className={classes.dimmed}>Верный ответ:</span> {accepted.join('; ')}
        </p>
      )}
      {explanation !== undefined && explanation !== '' && (
        <InlineNote icon={IconBulb}>
          <strong>Пояснение</strong>
          <RichText text={explanation} resolveImage={resolveImage} />
        </InlineNote>
      )}
      {comment !== null && comment !== '' && (
        <InlineNote tone="ink" icon={IconMessage}>
          <strong>Комментарий преподавателя</strong>
          <p className={classes.comment}>{comment}</p>
        </InlineNote>
      )}
    </article>
  );
}
