import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { BankEntry } from '#contract/bank.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { appendQuestions } from '#app/authoring/draft/append.ts';
import { TestPicker, type PickedTest } from '#app/authoring/TestPicker.tsx';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';

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
  const [chosen, setChosen] = useState<PickedTest | null>(null);
  // One copy with a stable id: a resend adds it only once.
  const [copy] = useState(() => copiedQuestion(entry.question, newId));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const isThere = entry.uses.some(({ testId }) => testId === chosen?.id);
  const add = async () => {
    if (!chosen) {
      setProblem('Выберите тест');
      return;
    }
    setBusy(true);
    setProblem('');
    try {
      await appendQuestions(chosen.id, [copy]);
      onAdded(chosen);
    } catch (error) {
      setProblem(describeFailure(error));
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Добавить вопрос в тест"
      footer={
        <>
          {isThere && (
            <Text size="sm" c="dimmed" role="status">
              В этом тесте вопрос уже есть: добавится ещё одна копия.
            </Text>
          )}
          <div role="alert">{problem !== '' && <FieldError>{problem}</FieldError>}</div>
          <Button loading={isBusy} onClick={() => void add()}>
            Добавить
          </Button>
        </>
      }
    >
      <TestPicker
        none="Тестов пока нет: создайте первый в «Моих тестах»."
        chosen={chosen}
        onChoose={(test) => {
          setChosen(test);
          setProblem('');
        }}
      />
    </Modal>
  );
}
