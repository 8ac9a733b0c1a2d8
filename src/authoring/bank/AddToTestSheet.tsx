import { Button } from '@mantine/core';
import { useState } from 'react';
import type { BankEntry } from '#contract/bank.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { appendQuestions } from '#app/authoring/draft/append.ts';
import { TestPicker, type PickedTest } from '#app/authoring/TestPicker.tsx';
import { failureWords } from '#app/offline/failure-words.ts';
import { newId } from '#app/offline/new-id.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './Bank.module.css';

/** Chooses one of the teacher's tests and puts a copy of the question at its end. */
export function AddToTestSheet({
  entry,
  onClose,
  onAdded,
}: {
  entry: BankEntry;
  onClose: () => void;
  onAdded: (test: PickedTest) => void;
}) {
  const [chosen, setChosen] = useState<PickedTest | null>(null);
  // One copy, however often it is sent: it gets there once.
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
      setProblem(failureWords(error));
      setBusy(false);
    }
  };
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Добавить вопрос в тест"
      footer={
        <>
          {isThere && (
            <p className={classes.hint} role="status">
              В этом тесте вопрос уже есть: добавится ещё одна копия.
            </p>
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
    </Sheet>
  );
}
