import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { appendQuestions } from '#app/authoring/draft/append.ts';
import { TestPicker, type PickedTest } from '#app/authoring/TestPicker.tsx';
import { failureWords } from '#app/offline/failure-words.ts';
import { newId } from '#app/offline/new-id.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { copiesForAnotherTest } from './edits.ts';

export interface SendSheetProps {
  testId: string;
  questions: readonly Question[];
  how: 'move' | 'copy';
  onClose: () => void;
  onSent: (test: PickedTest) => void;
}

/** Chooses one of the teacher's tests; the questions are there before they may leave this one. */
export function SendSheet({ testId, questions, how, onClose, onSent }: SendSheetProps) {
  const [chosen, setChosen] = useState<PickedTest | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  // The same at every try: what arrived although its reply was lost is not added twice.
  const [copies] = useState(() => copiesForAnotherTest(questions, newId));
  const verb = how === 'move' ? 'Переместить' : 'Скопировать';
  const send = async () => {
    if (!chosen) {
      setProblem('Выберите тест');
      return;
    }
    setBusy(true);
    setProblem('');
    try {
      await appendQuestions(chosen.id, copies);
      onSent(chosen);
      onClose();
    } catch (error) {
      setProblem(`Вопросы остались здесь. ${failureWords(error)}`);
      setBusy(false);
    }
  };
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`${verb} ${formatCount(questions.length, QUESTIONS)} в другой тест`}
      footer={
        <>
          <div role="alert">{problem !== '' && <FieldError>{problem}</FieldError>}</div>
          <Button loading={isBusy} onClick={() => void send()}>
            {verb}
          </Button>
        </>
      }
    >
      <TestPicker
        except={testId}
        none="Другого теста пока нет: создайте его в «Моих тестах»."
        chosen={chosen}
        onChoose={(test) => {
          setChosen(test);
          setProblem('');
        }}
      />
    </Sheet>
  );
}
