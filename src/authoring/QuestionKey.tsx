import { Box } from '@mantine/core';
import { IconCheck, IconCircle, IconSquare, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatNumber, formatPercent, letterOf } from '#domain/format.ts';
import { acceptedInGap } from '#domain/gaps.ts';
import { fileRulesHint } from '#app/ui/forms/FileField.tsx';
import { InLanguage } from '#app/ui/rich-text/InLanguage.tsx';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import classes from './authoring.module.css';

type Resolve = (key: string) => Promise<string>;

function Variant({
  question,
  inline,
}: {
  question: Extract<Question, { kind: 'variant' }>;
  inline: (text: string) => ReactNode;
}) {
  const Empty = question.multiple ? IconSquare : IconCircle;
  return (
    <ul className={classes.key}>
      {question.options.map(({ optionId, text, isRight }) => (
        <li key={optionId} className={isRight ? classes.right : undefined}>
          {isRight ? (
            <IconCheck size={20} stroke={2} aria-hidden />
          ) : (
            <Empty size={20} stroke={1.75} aria-hidden />
          )}
          <span>
            {inline(text)}
            {isRight && ' (верный)'}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Compliance({
  question,
  inline,
}: {
  question: Extract<Question, { kind: 'compliance' }>;
  inline: (text: string) => ReactNode;
}) {
  const place = (rightId: string) => question.right.findIndex((item) => item.rightId === rightId);
  const paired = new Set(question.pairs.map(({ rightId }) => rightId));
  const spare = question.right.filter(({ rightId }) => !paired.has(rightId));
  return (
    <>
      <ol className={classes.key}>
        {question.left.map(({ leftId, text }, index) => {
          const pair = question.pairs.find((one) => one.leftId === leftId);
          const right = pair && question.right[place(pair.rightId)];
          return (
            <li key={leftId}>
              <span>
                {index + 1}. {inline(text)} –{' '}
                {right && pair ? (
                  <span className={classes.right}>
                    {letterOf(place(pair.rightId))}. {inline(right.text)}
                  </span>
                ) : (
                  <span className={classes.quiet}>пары нет</span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      {spare.length > 0 && (
        <p className={classes.quiet}>
          Лишние справа:{' '}
          {spare.map(({ rightId, text }, index) => (
            <span key={rightId}>
              {index > 0 && ', '}
              {inline(text)}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function Open({ question }: { question: Extract<Question, { kind: 'open' }> }) {
  if (question.accepted.length === 0) {
    return <p className={classes.quiet}>Верных ответов не задано: проверяет преподаватель.</p>;
  }
  return (
    <>
      <p className={classes.quiet}>Верные ответы:</p>
      <ul className={classes.key}>
        {question.accepted.map(({ text, share }) => (
          <li key={text} className={share > 0 ? classes.right : classes.quiet}>
            {share > 0 ? (
              <IconCheck size={20} stroke={2} aria-hidden />
            ) : (
              <IconX size={20} stroke={2} aria-hidden />
            )}
            <span>
              <InLanguage>{text}</InLanguage>
              {share < 1 && ` (${formatPercent(share)} баллов)`}
            </span>
          </li>
        ))}
      </ul>
      {question.tolerance > 0 && (
        <p className={classes.quiet}>Допуск для чисел: ±{formatNumber(question.tolerance, 6)}</p>
      )}
    </>
  );
}

/** Read-only view of a question with its key. */
export function QuestionKey({ question, resolve }: { question: Question; resolve: Resolve }) {
  const inline = (text: string) => <RichText inline text={text} resolveImage={resolve} />;
  return (
    <>
      {question.kind === 'variant' && <Variant question={question} inline={inline} />}
      {question.kind === 'compliance' && <Compliance question={question} inline={inline} />}
      {question.kind === 'ordering' && (
        <ol className={classes.key}>
          {question.items.map(({ itemId, text }, index) => (
            <li key={itemId}>
              <span>
                {index + 1}. {inline(text)}
              </span>
            </li>
          ))}
        </ol>
      )}
      {question.kind === 'gaps' && (
        <ol className={classes.key}>
          {question.gaps.map((gap) => (
            <li key={gap.gapId}>
              <span>
                ({gap.gapId}){' '}
                <span className={classes.right}>
                  <InLanguage>{acceptedInGap(gap).join(' | ')}</InLanguage>
                </span>
                {gap.input === 'choice' && (
                  <span className={classes.quiet}>
                    {' '}
                    из: <InLanguage>{gap.options.map(({ text }) => text).join(', ')}</InLanguage>
                  </span>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
      {question.kind === 'open' && <Open question={question} />}
      {question.kind === 'file' && (
        <p className={classes.quiet}>
          {fileRulesHint(question.accept, question.maxBytes, question.maxFiles)}
        </p>
      )}
      <Transcript keyed of={question} resolveImage={resolve} />
      {question.explanation !== undefined && question.explanation !== '' && (
        <Box className="line-above" mt="sm" pt="sm" fz="sm">
          <p className={classes.quiet}>Пояснение после ответа:</p>
          <RichText text={question.explanation} resolveImage={resolve} />
        </Box>
      )}
    </>
  );
}
