import { Box, Group, Paper, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useId, useMemo } from 'react';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { previewQuestion } from '#app/authoring/preview-question.ts';
import { holdsText } from '#app/questions/answer-inputs.ts';
import { QuestionAnswer } from '#app/questions/QuestionAnswer.tsx';
import { useMemoryAnswers } from '#app/questions/use-memory-answers.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { Passage } from '#app/ui/taking/Passage.tsx';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { questionPointsLabel } from '#domain/labels-answer.ts';
import { hasMath } from '#domain/format-math.ts';
import { studentTextsOf } from '#domain/question-texts.ts';
import { withLocalPictures } from './picture-cache.ts';
import classes from './StudentView.module.css';

export interface StudentViewProps {
  readonly number: number | null;
  readonly question: Question;
  readonly resolve: (key: string) => Promise<string>;
}

/** Debounce of rendering formulas, milliseconds. */
const REST_MS = 150;

const doNothing = () => undefined;

const isEmpty = (text: string) => text.trim() === '';

/** Placeholders for empty texts. */
function withPlaceholders(question: StudentQuestion): StudentQuestion {
  if (question.kind === 'variant') {
    const options = question.options.map((option, index) =>
      isEmpty(option.text) ? { ...option, text: `вариант ${index + 1}` } : option,
    );
    return { ...question, options };
  }
  if (question.kind === 'compliance') {
    const left = question.left.map((item, index) =>
      isEmpty(item.text) ? { ...item, text: `слева ${index + 1}` } : item,
    );
    const right = question.right.map((item, index) =>
      isEmpty(item.text) ? { ...item, text: `справа ${index + 1}` } : item,
    );
    return { ...question, left, right };
  }
  if (question.kind === 'ordering') {
    const items = question.items.map((item, index) =>
      isEmpty(item.text) ? { ...item, text: `пункт ${index + 1}` } : item,
    );
    return { ...question, items };
  }
  if (question.kind === 'gaps') {
    const gaps = question.gaps.map((gap) => {
      if (gap.input !== 'choice') return gap;
      const options = gap.options.map((option, index) =>
        isEmpty(option.text) ? { ...option, text: `вариант ${index + 1}` } : option,
      );
      return { ...gap, options };
    });
    return { ...question, gaps };
  }
  return question;
}

function hasParts(question: StudentQuestion): boolean {
  switch (question.kind) {
    case 'variant':
      return question.options.length > 0;
    case 'ordering':
      return question.items.length > 0;
    case 'compliance':
      return question.left.length > 0 && question.right.length > 0;
    case 'gaps':
      return !isEmpty(question.text);
    case 'open':
    case 'file':
      return true;
  }
}

function Shown({ number, question, resolve }: StudentViewProps) {
  const textId = useId();
  const answers = useMemoryAnswers();
  const [rested] = useDebouncedValue(question, REST_MS);
  const settled = studentTextsOf(question).some(hasMath) ? rested : question;
  const shown = useMemo(() => withPlaceholders(previewQuestion(settled)), [settled]);
  const pictures = useMemo(() => withLocalPictures(resolve), [resolve]);
  return (
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
          resolveImage={pictures}
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
            <RichText text={shown.text} resolveImage={pictures} />
          )}
        </Box>
      )}
      <Transcript of={shown} resolveImage={pictures} />
      {hasParts(shown) ? (
        <div className={classes.answer}>
          <QuestionAnswer
            question={shown}
            shown={answers.shown(shown.questionId)}
            store={answers.store}
            locked={false}
            labelledBy={textId}
            resolveImage={pictures}
            renderText={(text, still) => (
              <RichText inline still={still} text={text} resolveImage={pictures} />
            )}
            onNext={doNothing}
          />
        </div>
      ) : (
        <Text inherit c="dimmed">
          Здесь будут варианты ответа
        </Text>
      )}
    </Paper>
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
