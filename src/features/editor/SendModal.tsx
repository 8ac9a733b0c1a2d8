import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { appendQuestions } from '#app/authoring/draft/append.ts';
import { TestPicker, type PickedTest } from '#app/authoring/TestPicker.tsx';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { copiesForAnotherTest } from './edits.ts';

export interface SendModalProps {
  testId: string;
  questions: readonly Question[];
  how: 'move' | 'copy';
  onClose: () => void;
  onSent: (test: PickedTest) => void;
}

/** Moves questions to another test; they are stored there before being removed here. */
export function SendModal({ testId, questions, how, onClose, onSent }: SendModalProps) {
  const [chosen, setChosen] = useState<PickedTest | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  // Stable ids across retries: questions whose reply was lost are not added twice.
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
      setProblem(`Вопросы остались здесь. ${describeFailure(error)}`);
      setBusy(false);
    }
  };
  return (
    <Modal
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
    </Modal>
  );
}
