import { Stack } from '@mantine/core';
import { QuestionKey } from '#app/questions/QuestionKey.tsx';
import { StudentView } from '#app/questions/form/StudentView.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import type { DrawnQuestion } from './assembly.ts';

/** A drawn question: student view and key. */
export function DrawModal({
  looked,
  onClose,
}: {
  looked: { readonly item: DrawnQuestion; readonly number: number } | null;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={looked !== null}
      onClose={onClose}
      size="lg"
      title={looked ? `Вопрос ${looked.number}` : ''}
    >
      {looked && (
        <Stack gap="sm">
          <StudentView number={looked.number} question={looked.item.question} />
          <h3>Верный ответ</h3>
          <QuestionKey question={looked.item.question} />
        </Stack>
      )}
    </Modal>
  );
}
