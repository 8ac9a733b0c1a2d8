import { Box, Flex, Paper, Stack, Text } from '@mantine/core';
import { IconBulb, IconHistory, IconMessage } from '@tabler/icons-react';
import type { AttemptPreview } from '#contract/results.ts';
import { answerStateShort } from '#domain/labels-answer.ts';
import { QuestionText } from '#app/questions/QuestionText.tsx';
import { ReviewedAnswer } from '#app/questions/ReviewedAnswer.tsx';
import { acceptedLines } from '#app/questions/reviews.ts';
import type { AnswerOwner } from '#app/ui/taking/AnswerReview.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { Passage } from '#app/ui/taking/Passage.tsx';
import { InLanguage } from '#app/ui/rich-text/InLanguage.tsx';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { HandedInFiles } from './HandedInFile.tsx';
import { itemPoints } from './messages.ts';
import { VerdictPill } from './VerdictPill.tsx';

type Item = AttemptPreview['items'][number];

interface ItemProps {
  item: Item;
  shows: AttemptPreview['shows'];
  owner: AnswerOwner;
}

/** One question of an attempt: text, answer, key, explanation, points and comment, each if visible to the viewer. */
export function PreviewItem({ item, shows, owner }: ItemProps) {
  const { number, question, answered, receivedLate, points, verdict, comment } = item;
  const headingId = `preview-${question.questionId}`;
  const accepted = acceptedLines(question);
  const explanation = 'explanation' in question ? question.explanation : undefined;
  return (
    <Paper
      component="article"
      px={{ base: 'md', sm: 'lg' }}
      py={{ base: 'md', sm: 20 }}
      aria-labelledby={headingId}
    >
      <Stack gap="sm">
        <Flex component="header" wrap="wrap" align="center" gap="0.375rem 0.75rem">
          <h3 id={headingId}>Вопрос {number}</h3>
          {verdict !== null && <VerdictPill verdict={verdict} />}
          {receivedLate && (
            <StatePill icon={IconHistory} tone="warn">
              {answerStateShort('late')}
            </StatePill>
          )}
          <Text span inherit c="dimmed" ms="auto" className="tabular">
            {itemPoints(points, question.points, item.credit)}
          </Text>
        </Flex>
        {question.passage && <Passage unfolded={false} passage={question.passage} />}
        <Box maw="68ch" fz="lg" lh="lg">
          <QuestionText question={question} answer={item.answer} />
        </Box>
        <Transcript of={question} />
        <ReviewedAnswer
          question={question}
          answer={item.answer}
          isKeyShown={shows.correctAnswers}
          owner={owner}
          renderFiles={(answer) => <HandedInFiles answer={answer} />}
        />
        {shows.ownAnswers && !answered && verdict !== 'unanswered' && (
          <Text inherit c="dimmed">
            {answerStateShort('none')}
          </Text>
        )}
        {accepted.length > 0 && (
          <p className="break-anywhere">
            <Text span inherit c="dimmed">
              Верный ответ:
            </Text>{' '}
            <InLanguage>{accepted.join('; ')}</InLanguage>
          </p>
        )}
        {explanation !== undefined && explanation !== '' && (
          <InlineNote icon={IconBulb}>
            <strong>Пояснение</strong>
            <RichText text={explanation} />
          </InlineNote>
        )}
        {comment !== null && comment !== '' && (
          <InlineNote tone="ink" icon={IconMessage}>
            <strong>Комментарий преподавателя</strong>
            <p className="pre-wrap">{comment}</p>
          </InlineNote>
        )}
      </Stack>
    </Paper>
  );
}
