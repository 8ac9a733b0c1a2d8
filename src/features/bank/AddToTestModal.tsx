import { useState } from 'react';
import type { BankEntry } from '#contract/bank.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { AppendModal } from '#app/drafts/AppendModal.tsx';
import type { PickedTest } from '#app/drafts/TestPicker.tsx';
import { newId } from '#app/lib/new-id.ts';

/** Appends a copy of the question to one of the teacher's tests. */
export function AddToTestModal({
  entry,
  onClose,
  onAdded,
}: {
  entry: BankEntry;
  onClose: () => void;
  onAdded: (test: PickedTest) => void;
}) {
  const [copies] = useState(() => [copiedQuestion(entry.question, newId)]);
  return (
    <AppendModal
      title="Добавить вопрос в тест"
      verb="Добавить"
      questions={copies}
      noteOf={({ id }) =>
        entry.uses.some(({ testId }) => testId === id)
          ? 'В этом тесте вопрос уже есть: добавится ещё одна копия.'
          : null
      }
      none="Тестов пока нет: создайте первый в «Моих тестах»."
      onClose={onClose}
      onSent={onAdded}
    />
  );
}
