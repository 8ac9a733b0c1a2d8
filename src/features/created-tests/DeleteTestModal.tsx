import type { CreatedTest } from '#contract/authoring.ts';
import { ATTEMPTS, formatCount } from '#domain/format.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { useDeleteTest } from './use-test-actions.ts';

export interface DeleteTestModalProps {
  /** Null: closed. */
  test: Pick<CreatedTest, 'id' | 'title' | 'attempts'> | null;
  onClose: () => void;
  onDeleted: (outcome: 'deleted' | 'archived') => void;
}

/** Confirms deleting a test, or archiving it if it has attempts. */
export function DeleteTestModal({ test, onClose, onDeleted }: DeleteTestModalProps) {
  const remove = useDeleteTest();
  const isArchived = (test?.attempts ?? 0) > 0;
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmModal
      opened={test !== null}
      title={isArchived ? 'Убрать тест в архив?' : 'Удалить тест?'}
      confirm={isArchived ? 'Убрать в архив' : 'Удалить'}
      cancel="Оставить"
      isBusy={remove.isPending}
      problem={remove.error ? describeFailure(remove.error) : null}
      onConfirm={() => {
        if (test) {
          remove.mutate(test.id, { onSuccess: ({ outcome }) => onDeleted(outcome) });
        }
      }}
      onClose={close}
    >
      {test && (
        <p>
          {isArchived
            ? `По тесту «${test.title}» есть ${formatCount(test.attempts, ATTEMPTS)}, поэтому он не удалится, а уйдёт в архив. Ответы и результаты сохранятся, начать тест больше будет нельзя.`
            : `Тест «${test.title}» и его вопросы удалятся насовсем. Попыток по нему нет.`}
        </p>
      )}
    </ConfirmModal>
  );
}
