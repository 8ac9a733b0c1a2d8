import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteBankEntry, type BankEntry } from '#contract/bank.ts';
import { usesWords } from '#domain/labels-bank.ts';
import { questionLabel } from '#domain/question-label.ts';
import { call } from '#app/api/call.ts';
import { failureWords, isNotFound } from '#app/offline/failure-words.ts';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { renewBank } from './queries.ts';

/** Asks before a question leaves the bank. */
export function RemoveEntrySheet({
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
        // Somebody was faster: it is out of the bank all the same.
        if (!isNotFound(error)) throw error;
      }
    },
    onSuccess: () => {
      void renewBank(client);
      onRemoved();
    },
  });
  return (
    <ConfirmSheet
      opened
      title="Убрать вопрос из банка?"
      confirm="Убрать"
      cancel="Оставить"
      isBusy={remove.isPending}
      problem={remove.error ? failureWords(remove.error) : null}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      «{questionLabel(entry.question)}» больше не предложат ни поиск, ни подбор.{' '}
      {entry.usesCount > 0 && `Вопрос ${usesWords(entry.usesCount)}: там он останется.`}
    </ConfirmSheet>
  );
}
