import { Button, Text } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { QuestionGrid } from '#app/ui/taking/QuestionGrid.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { formatProgress } from './dialog-messages.ts';
import type { QuestionsProps } from './QuestionsAside.tsx';

/** «Все вопросы»: the current question, the answered ones, the list of keys and the finish button. */
export function QuestionsModal({
  opened,
  onClose,
  ...props
}: QuestionsProps & { opened: boolean; onClose: () => void }) {
  const { view, locked, onSelect, onFinish, onOpenKeys } = props;
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
      <QuietButton
        icon={IconKeyboard}
        onClick={() => {
          onClose();
          onOpenKeys();
        }}
      >
        Клавиши
      </QuietButton>
    </Modal>
  );
}
