import { Box, Flex, Group, Paper, Stack, Text } from '@mantine/core';
import { IconEye, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { formatKey } from '#domain/format-answer.ts';
import { formatCount, formatPoints } from '#domain/format.ts';
import { formatFacility } from '#domain/labels-bank.ts';
import { difficultyLabel } from '#domain/labels.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { QuestionText } from '#app/questions/QuestionText.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { placesOf, type DrawnQuestion } from './assembly.ts';
import { questionKindLabel } from '#domain/labels-kinds.ts';
import { VARIANTS } from './messages.ts';

export interface ResultActions {
  readonly onReplace: (item: DrawnQuestion) => void;
  readonly onRemove: (item: DrawnQuestion) => void;
  readonly onLook: (item: DrawnQuestion, number: number) => void;
}

/** Page size of «Показать ещё»: rendering hundreds of formulas would block the page. */
const PLACES = 10;
/** Variants of one place shown initially. */
const FIRST_VARIANTS = 3;

function Facts({ item, number }: { item: DrawnQuestion; number: number }) {
  const { question, source } = item;
  return (
    <Group className="tabular" gap="0.125rem 0.75rem" mb={4} c="dimmed" fz="sm">
      <Text component="strong" inherit fw={600} c="var(--app-text)">
        Вопрос {number}
      </Text>
      <span>{questionKindLabel(question)}</span>
      {question.difficulty && <span>{difficultyLabel(question.difficulty)}</span>}
      <span>{formatPoints(question.points)}</span>
      <span>
        {source.kind === 'bank'
          ? `банк, ${formatFacility(source.facility)}`
          : `шаблон «${source.template.body.title}»`}
      </span>
    </Group>
  );
}

function Body({ item }: { item: DrawnQuestion }) {
  const answer = formatKey(item.question);
  return (
    <>
      <QuestionText className="measure" question={item.question} />
      <Flex wrap="wrap" gap="0 0.375rem" mt={4} fz={15}>
        <Text span inherit c="dimmed">
          Ответ:
        </Text>
        {answer === null ? <span>проверяет преподаватель</span> : <RichText inline text={answer} />}
      </Flex>
    </>
  );
}

function Actions({
  item,
  number,
  note,
  actions,
}: {
  item: DrawnQuestion;
  number: number;
  note: string | undefined;
  actions: ResultActions;
}) {
  return (
    <>
      <Group gap="0 1rem" align="stretch" mt={4}>
        <QuietButton icon={IconRefresh} onClick={() => actions.onReplace(item)}>
          Заменить
        </QuietButton>
        <QuietButton icon={IconEye} onClick={() => actions.onLook(item, number)}>
          Посмотреть
        </QuietButton>
        <QuietButton icon={IconTrash} onClick={() => actions.onRemove(item)}>
          Убрать
        </QuietButton>
      </Group>
      <div role="status">{note !== undefined && <FieldError>{note}</FieldError>}</div>
    </>
  );
}

interface PlaceProps {
  readonly alternatives: readonly DrawnQuestion[];
  readonly number: number;
  /** Messages by question id: why it was not replaced. */
  readonly notes: ReadonlyMap<string, string>;
  readonly actions: ResultActions;
}

/** One place of the test: a question, or the variants from which each attempt gets one. */
const VARIANTS_LINE = {
  gap: 'sm',
  mt: 'xs',
  ps: 14,
  style: { borderLeft: '2px solid var(--app-line)' },
};

function Place({ alternatives, number, notes, actions }: PlaceProps) {
  const [isWhole, setWhole] = useState(false);
  const [first] = alternatives;
  if (!first) return null;
  const hasVariants = first.question.variantOf !== undefined;
  const shown = isWhole ? alternatives : alternatives.slice(0, FIRST_VARIANTS);
  return (
    <Box component="li" className="line-between" px="md" py={14}>
      <Facts item={first} number={number} />
      {hasVariants && (
        <p>
          Каждому ученику свой вариант: {formatCount(alternatives.length, VARIANTS)} одного вопроса
        </p>
      )}
      <Stack component="ul" gap={0} {...(hasVariants && VARIANTS_LINE)}>
        {shown.map((item) => (
          <li key={item.question.questionId}>
            <Body item={item} />
            <Actions
              item={item}
              number={number}
              note={notes.get(item.question.questionId)}
              actions={actions}
            />
          </li>
        ))}
      </Stack>
      {shown.length < alternatives.length && (
        <QuietButton tone="ink" onClick={() => setWhole(true)}>
          Показать все {formatCount(alternatives.length, VARIANTS)}
        </QuietButton>
      )}
    </Box>
  );
}

/** The drawn questions by place. */
export function ResultPart({
  items,
  notes,
  actions,
}: {
  items: readonly DrawnQuestion[];
  notes: ReadonlyMap<string, string>;
  actions: ResultActions;
}) {
  const [count, setCount] = useState(PLACES);
  const places = placesOf(items);
  return (
    <>
      <Paper component="ol" aria-label="Что подобрано">
        {places.slice(0, count).map((alternatives, index) => (
          <Place
            key={alternatives[0]?.question.variantOf ?? alternatives[0]?.question.questionId}
            alternatives={alternatives}
            number={index + 1}
            notes={notes}
            actions={actions}
          />
        ))}
      </Paper>
      {places.length > count && (
        <QuietButton tone="ink" onClick={() => setCount(count + PLACES)}>
          Показать ещё {Math.min(PLACES, places.length - count)}
        </QuietButton>
      )}
    </>
  );
}
