import { useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { AppendModal } from '#app/drafts/AppendModal.tsx';
import type { PickedTest } from '#app/drafts/TestPicker.tsx';
import { newId } from '#app/lib/new-id.ts';
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
  const [copies] = useState(() => copiesForAnotherTest(questions, newId));
  const verb = how === 'move' ? 'Переместить' : 'Скопировать';
  return (
    <AppendModal
      title={`${verb} ${formatCount(questions.length, QUESTIONS)} в другой тест`}
      verb={verb}
      questions={copies}
      safe="Вопросы остались здесь. "
      except={testId}
      none="Другого теста пока нет: создайте его в «Моих тестах»."
      onClose={onClose}
      onSent={(test) => {
        onSent(test);
        onClose();
      }}
    />
  );
}
