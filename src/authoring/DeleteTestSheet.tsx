import type { CreatedTest } from '#contract/authoring.ts';
import { formatCount } from '#domain/format.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { useDeleteTest } from './use-test-actions.ts';

export interface DeleteTestSheetProps {
  /** Null: closed. */
  test: Pick<CreatedTest, 'id' | 'title' | 'attempts'> | null;
  onClose: () => void;
  onDeleted: (outcome: 'deleted' | 'archived') => void;
}

const DONE = ['попытка', 'попытки', 'попыток'] as const;

/** Asks before a test is deleted, and says when it goes to the archive instead. */
export function DeleteTestSheet({ test, onClose, onDeleted }: DeleteTestSheetProps) {
  const remove = useDeleteTest();
  const isKept = (test?.attempts ?? 0) > 0;
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmSheet
      opened={test !== null}
      title={isKept ? 'Убрать тест в архив?' : 'Удалить тест?'}
      confirm={isKept ? 'Убрать в архив' : 'Удалить'}
      cancel="Оставить"
      isBusy={remove.isPending}
      problem={remove.error ? failureWords(remove.error) : null}
      onConfirm={() => {
        if (test) {
          remove.mutate(test.id, { onSuccess: ({ outcome }) => onDeleted(outcome) });
        }
      }}
      onClose={close}
    >
      {test && (
        <p>
          {isKept
            ? `По тесту «${test.title}» есть ${formatCount(test.attempts, DONE)}, поэтому он не удалится, а уйдёт в архив. Ответы и результаты сохранятся, начать тест больше будет нельзя.`
            : `Тест «${test.title}» и его вопросы удалятся насовсем. Попыток по нему нет.`}
        </p>
      )}
    </ConfirmSheet>
  );
}
