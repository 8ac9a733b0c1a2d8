import { useMutation } from '@tanstack/react-query';
import { deleteAttempt } from '#contract/attempts.ts';
import type { GradingEntry } from '#contract/grading.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';

export interface DeleteAttemptProps {
  opened: boolean;
  onClose: () => void;
  entry: GradingEntry;
  onDeleted: () => void;
}

/** Confirms the deletion of an attempt; it can be undone right after. */
export function DeleteAttempt({ opened, onClose, entry, onDeleted }: DeleteAttemptProps) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => call(deleteAttempt, { params: { attemptId: entry.attemptId } }),
    onSuccess: () => {
      onClose();
      onDeleted();
    },
  });
  return (
    <ConfirmModal
      opened={opened}
      onClose={() => {
        reset();
        onClose();
      }}
      title="Удалить попытку?"
      confirm="Удалить"
      cancel="Оставить"
      isBusy={isPending}
      problem={error ? describeFailure(error) : null}
      onConfirm={() => mutate()}
    >
      {entry.userName}, попытка {entry.attemptNumber}. Она исчезнет из результатов и статистики.
      Ответы и оценки останутся на сервере: сразу после удаления попытку можно вернуть.
    </ConfirmModal>
  );
}
