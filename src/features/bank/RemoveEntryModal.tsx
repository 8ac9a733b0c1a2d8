import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteBankEntry, type BankEntry } from '#contract/bank.ts';
import { formatUses } from '#domain/labels-bank.ts';
import { QuestionLabel } from '#app/questions/QuestionLabel.tsx';
import { call } from '#app/api/call.ts';
import { describeFailure, isNotFound } from '#app/lib/failure-messages.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { renewBank } from './queries.ts';

/** Confirms removing a question from the bank. */
export function RemoveEntryModal({
  entry,
  onClose,
  onRemoved,
}: {
  entry: BankEntry;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      try {
        await call(deleteBankEntry, { params: { entryId: entry.entryId } });
      } catch (error) {
        // Already removed elsewhere: same result.
        if (!isNotFound(error)) throw error;
      }
    },
    onSuccess: () => {
      void renewBank(client);
      onRemoved();
    },
  });
  return (
    <ConfirmModal
      opened
      title="Убрать вопрос из банка?"
      confirm="Убрать"
      cancel="Оставить"
      isBusy={remove.isPending}
      problem={remove.error ? describeFailure(remove.error) : null}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      «<QuestionLabel question={entry.question} />» больше не предложат ни поиск, ни подбор.{' '}
      {entry.usesCount > 0 && `Вопрос ${formatUses(entry.usesCount)}: там он останется.`}
    </ConfirmModal>
  );
}
