import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import { useId } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatPoints } from '#domain/format.ts';
import type { DraftEditor, DraftConflict } from '#app/drafts/draft.ts';
import { QuestionKey } from '#app/questions/QuestionKey.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuestionText } from '#app/questions/QuestionText.tsx';
import { PAIRS } from '#app/ui/columns.ts';

function Version({ heading, question }: { heading: string; question: Question | null }) {
  return (
    <Box component="section" miw={0} p="sm" bd="1px solid var(--app-line)" bdrs="md">
      <h3>{heading}</h3>
      {question === null ? (
        <Text size="sm" c="dimmed" py="xs">
          Вопрос удалён
        </Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" py="xs">
            {formatPoints(question.points)}
          </Text>
          <QuestionText question={question} />
          <QuestionKey question={question} />
        </>
      )}
    </Box>
  );
}

function happened({ mine, theirs }: DraftConflict): string {
  if (theirs === null) return 'Этот вопрос тем временем удалили';
  return mine === null
    ? 'Удалённый вопрос тем временем изменили'
    : 'Этот вопрос тем временем изменили';
}

/** A conflict about one question: both versions, and the choice between them. */
export function QuestionConflict({
  conflict,
  onDecide,
}: {
  conflict: DraftConflict;
  onDecide: (choice: Parameters<DraftEditor['resolve']>[1]) => void;
}) {
  const id = useId();
  const { mine, theirs, by } = conflict;
  return (
    <Paper component="section" p="md" aria-labelledby={id}>
      <Stack gap="sm">
        <h2 id={id}>{happened(conflict)}</h2>
        <InlineNote tone="warn" icon={IconArrowsSplit2}>
          {by !== null && `Изменено: ${by}. `}Обе версии целы. Выберите, какая останется.
        </InlineNote>
        <Box {...PAIRS}>
          <Version heading="У вас" question={mine} />
          <Version heading={by === null ? 'В другом месте' : by} question={theirs} />
        </Box>
        <Group className="wide-on-phones" gap="xs">
          <Button size="sm" onClick={() => onDecide('mine')}>
            {mine === null ? 'Оставить удалённым' : 'Оставить моё'}
          </Button>
          <Button size="sm" variant="default" onClick={() => onDecide('theirs')}>
            {theirs === null ? 'Удалить и здесь' : 'Взять чужое'}
          </Button>
          {mine !== null && theirs !== null && (
            <Button size="sm" variant="default" onClick={() => onDecide('both')}>
              Сохранить оба
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
