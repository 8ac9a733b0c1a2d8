import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { AttemptView } from '#app/outbox/types.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { QuestionGrid } from '#app/ui/taking/QuestionGrid.tsx';

export interface QuestionsProps {
  view: AttemptView;
  current: number;
  locked: boolean;
  onSelect: (index: number) => void;
  onFinish: () => void;
  /** Opens the list of keys with their switch. */
  onOpenKeys: () => void;
}

/** The list of questions as a left sidebar from 1024 px. */
export function QuestionsAside({
  view,
  current,
  locked,
  onSelect,
  onFinish,
  onOpenKeys,
}: QuestionsProps) {
  return (
    <>
      <Group justify="space-between" align="baseline" mb="sm">
        <Box component="h2" fz="lg">
          Вопросы
        </Box>
        <Text span inherit c="dimmed" className="tabular">
          {view.counts.answered} из {view.counts.total}
        </Text>
      </Group>
      <QuestionGrid questions={view.answers} current={current} onSelect={onSelect} />
      <Stack gap="xs" mt="auto">
        <span className="without-keyboard">
          <QuietButton onClick={onOpenKeys}>Клавиши</QuietButton>
        </span>
        {!locked && (
          <Button variant="default" onClick={onFinish}>
            Завершить тест…
          </Button>
        )}
      </Stack>
    </>
  );
}
