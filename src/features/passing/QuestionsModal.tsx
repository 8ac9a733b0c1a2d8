import { Box, Button, Group, Text } from '@mantine/core';
import type { AttemptView } from '#app/outbox/types.ts';
import { QuestionGrid } from '#app/ui/taking/QuestionGrid.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { formatProgress } from './messages.ts';

export interface QuestionsProps {
  view: AttemptView;
  current: number;
  locked: boolean;
  onSelect: (index: number) => void;
  onFinish: () => void;
}

/** «Все вопросы»: the current question, the answered ones, and the finish button. */
export function QuestionsModal({
  opened,
  onClose,
  ...props
}: QuestionsProps & { opened: boolean; onClose: () => void }) {
  const { view, locked, onSelect, onFinish } = props;
  const firstFree = view.answers.findIndex((question) => !question.answered);
  const go = (index: number) => {
    onClose();
    onSelect(index);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Все вопросы"
      footer={
        <>
          {firstFree >= 0 && !locked && (
            <Button variant="default" onClick={() => go(firstFree)}>
              К первому без ответа: {firstFree + 1}
            </Button>
          )}
          {!locked && (
            <Button
              variant="subtle"
              onClick={() => {
                onClose();
                onFinish();
              }}
            >
              Завершить тест…
            </Button>
          )}
        </>
      }
    >
      <Text c="dimmed" mb="sm">
        {formatProgress(view)}
      </Text>
      <QuestionGrid questions={view.answers} current={props.current} onSelect={go} />
    </Modal>
  );
}

/** The same list as a left sidebar from 1024 px. */
export function QuestionsAside({ view, current, locked, onSelect, onFinish }: QuestionsProps) {
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
      {!locked && (
        <Button variant="default" mt="auto" onClick={onFinish}>
          Завершить тест…
        </Button>
      )}
    </>
  );
}
