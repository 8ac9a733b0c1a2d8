import { Box, Group, Paper, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useId, useMemo } from 'react';
import type { Question } from '#contract/questions.ts';
import { previewQuestion } from '#app/questions/preview-question.ts';
import { hasParts, withPlaceholders } from '#app/questions/kind-authoring.ts';
import { isEmpty } from '#app/questions/placeholders.ts';
import { holdsText } from '#app/questions/answer-inputs.ts';
import { QuestionAnswer } from '#app/questions/QuestionAnswer.tsx';
import { useMemoryAnswers } from '#app/questions/use-memory-answers.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { Passage } from '#app/ui/taking/Passage.tsx';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { questionPointsLabel } from '#domain/labels-points.ts';
import { hasMath } from '#domain/format-math.ts';
import { studentTextsOf } from '#domain/question-texts.ts';
import { Pictures } from '#app/ui/rich-text/pictures-context.ts';
import { useLocalPictures } from './picture-cache.ts';
import classes from './StudentView.module.css';

export interface StudentViewProps {
  readonly number: number | null;
  readonly question: Question;
}

/** Debounce of rendering formulas, milliseconds. */
const REST_MS = 150;

const doNothing = () => undefined;

function Shown({ number, question }: StudentViewProps) {
  const textId = useId();
  const answers = useMemoryAnswers();
  const [rested] = useDebouncedValue(question, REST_MS);
  const settled = studentTextsOf(question).some(hasMath) ? rested : question;
  const shown = useMemo(() => withPlaceholders(previewQuestion(settled)), [settled]);
  const pictures = useLocalPictures();
  return (
    <Pictures value={pictures}>
      <Paper className={classes.card} p="md">
        <Text className="tabular" fz={15}>
          <Text component="strong" inherit fw={600}>
            {number === null ? 'Вопрос' : `Вопрос ${number}`}
          </Text>{' '}
          <Text span inherit c="dimmed">
            · {questionPointsLabel(shown)}
          </Text>
        </Text>
        {shown.passage && (
          <Passage
            passage={shown.passage}
            placeholder={
              <Text inherit c="dimmed">
                Здесь будет общий текст
              </Text>
            }
          />
        )}
        {(!holdsText(shown) || isEmpty(shown.text)) && (
          <Box id={textId} fz="lg" lh={1.5} my="0.25rem 0.75rem">
            {isEmpty(shown.text) ? (
              <Text inherit c="dimmed">
                Здесь будет текст вопроса
              </Text>
            ) : (
              <RichText text={shown.text} />
            )}
          </Box>
        )}
        <Transcript of={shown} />
        {hasParts(shown) ? (
          <div className={classes.answer}>
            <QuestionAnswer
              question={shown}
              shown={answers.shown(shown.questionId)}
              store={answers.store}
              locked={false}
              labelledBy={textId}
              onNext={doNothing}
            />
          </div>
        ) : (
          <Text inherit c="dimmed">
            Здесь будут варианты ответа
          </Text>
        )}
      </Paper>
    </Pictures>
  );
}

/** «Как увидит ученик»: a live preview of the question without its key; answers are not stored. */
export function StudentView(props: StudentViewProps) {
  const headingId = useId();
  return (
    <Box aria-labelledby={headingId} component="section" miw={0}>
      <Group justify="space-between" gap="xs" mih={24} mb="xs">
        <Title id={headingId} order={2} fz="md" fw={500} lts={0}>
          Как увидит ученик
        </Title>
        <Icon of={IconDeviceMobile} />
      </Group>
      <Shown key={`${props.question.questionId} ${props.question.kind}`} {...props} />
    </Box>
  );
}
