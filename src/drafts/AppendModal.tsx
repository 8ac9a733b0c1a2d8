import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { appendQuestions } from './append.ts';
import { TestPicker, type PickedTest, type TestPickerProps } from './TestPicker.tsx';

export interface AppendModalProps extends Omit<TestPickerProps, 'chosen' | 'onChoose'> {
  title: string;
  /** A verb on the button. */
  verb: string;
  /** With stable ids: if a reply was lost, its questions are not added twice. */
  questions: readonly Question[];
  /** The state of the questions that were not sent: one sentence. */
  safe?: string;
  /** A note about sending to this test; null: none. */
  noteOf?: (test: PickedTest) => string | null;
  onClose: () => void;
  onSent: (test: PickedTest) => void;
}

/** Appends questions to one of the teacher's tests. */
export function AppendModal({
  title,
  verb,
  questions,
  safe = '',
  noteOf,
  onClose,
  onSent,
  ...picker
}: AppendModalProps) {
  const [chosen, setChosen] = useState<PickedTest | null>(null);
  const [isMissed, setMissed] = useState(false);
  const append = useMutation({
    mutationFn: ({ id }: PickedTest) => appendQuestions(id, questions),
    onSuccess: (_reply, test) => onSent(test),
  });
  const note = chosen && noteOf?.(chosen);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      footer={
        <>
          {note && (
            <Text size="sm" c="dimmed" role="status">
              {note}
            </Text>
          )}
          <div role="alert">
            {isMissed && <FieldError>Выберите тест</FieldError>}
            {append.error && <FieldError>{safe + describeFailure(append.error)}</FieldError>}
          </div>
          <Button
            loading={append.isPending}
            onClick={() => (chosen ? append.mutate(chosen) : setMissed(true))}
          >
            {verb}
          </Button>
        </>
      }
    >
      <TestPicker
        {...picker}
        chosen={chosen}
        onChoose={(test) => {
          setChosen(test);
          setMissed(false);
          // The button still belongs to a call in progress.
          if (append.isError) append.reset();
        }}
      />
    </Modal>
  );
}
