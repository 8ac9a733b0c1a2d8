import { Box, Button, Flex, Text, Textarea } from '@mantine/core';
import { LimitedTextarea } from '#app/ui/forms/LimitedField.tsx';
import { submit } from '@modular-forms/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { correctKey } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import type { ReplyOf } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { QuestionText } from '#app/questions/QuestionText.tsx';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { keepFocus } from '#app/ui/forms/FormFoot.tsx';
import { useSignalValue } from '#app/ui/forms/use-signal-value.ts';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FormModal } from '#app/ui/overlays/FormModal.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { KeyFields } from '#app/questions/KeyFields.tsx';
import { keySchema, typedKey, type Correction } from '#app/questions/typed-key.ts';
import { renewMarks } from './queries.ts';
import { formatChange, problemOf, rescoredMessage } from './messages.ts';

export interface KeyModalProps {
  testId: string;
  question: Question;
  number: number;
  onClose: () => void;
}

type Outcome = ReplyOf<typeof correctKey>;
type Step =
  | { readonly kind: 'edit' }
  | { readonly kind: 'preview'; readonly correction: Correction; readonly outcome: Outcome }
  | { readonly kind: 'done'; readonly outcome: Outcome };

/** The number of names listed before confirming. */
const NAMED = 20;
const MAX_REASON_LENGTH = 500;
const CREDITS = [
  { value: 'key', label: 'По ключу' },
  { value: 'everybody', label: 'Всем полный балл' },
  { value: 'nobody', label: 'Не учитывать в баллах' },
] as const;
const UNSAVED = 'Ключ ещё не исправлен: то, что вы изменили, пропадёт.';

function Changes({ outcome, isDone }: { outcome: Outcome; isDone: boolean }) {
  const { changed, rescored } = outcome;
  const rest = changed.length - NAMED;
  return (
    <>
      <p role="status">
        <b>{rescoredMessage(changed.length, rescored, isDone)}</b>
      </p>
      <ul>
        {changed.slice(0, NAMED).map(({ attemptId, userName, oldPoints, newPoints }) => (
          <Flex key={attemptId} component="li" className="line-below" gap="md" py={6}>
            <Box flex={1}>{userName}</Box>
            <span className="tabular">{formatChange(oldPoints, newPoints)}</span>
          </Flex>
        ))}
      </ul>
      {rest > 0 && (
        <Text size="sm" c="dimmed">
          и ещё {rest}
        </Text>
      )}
    </>
  );
}

function KeyForm({
  of,
  question,
}: {
  of: Parameters<typeof KeyFields>[0]['of'];
  question: Question;
}) {
  return (
    <AppForm of={of} aria-label="Ключ">
      <QuestionText question={question} />
      <InlineNote>
        Меняется только ключ. Текст и варианты остаются такими, какими их видели ученики. Оценки,
        поставленные вручную, не изменятся; если вопрос засчитан всем или не учитывается, они
        вернутся вместе с ключом.
      </InlineNote>
      <KeyFields of={of} question={question} />
      <FormField
        of={of}
        name="credit"
        component={SelectField}
        label="Как засчитать вопрос"
        native
        choices={CREDITS}
      />
      <FormField
        of={of}
        name="explanation"
        component={Textarea}
        label="Пояснение к верному ответу"
        rows={2}
      />
      <FormField
        of={of}
        name="reason"
        component={LimitedTextarea}
        label="Что исправлено"
        rows={2}
        maxLength={MAX_REASON_LENGTH}
      />
    </AppForm>
  );
}

/** Corrects a wrong key: edit, preview of the changed marks, then rescoring of all attempts. */
export function KeyModal({ testId, question, number, onClose }: KeyModalProps) {
  const client = useQueryClient();
  const [schema] = useState(() => keySchema(question));
  const [initialValues] = useState(() => typedKey(question));
  const [step, setStep] = useState<Step>({ kind: 'edit' });
  const correct = useMutation({
    mutationFn: ({ dryRun, ...correction }: Correction & { dryRun: boolean }) =>
      call(correctKey, { params: { id: testId }, body: { ...correction, dryRun } }),
    onSuccess: (outcome, { dryRun, ...correction }) => {
      if (dryRun) return setStep({ kind: 'preview', correction, outcome });
      setStep({ kind: 'done', outcome });
      void renewMarks(client);
    },
  });
  const form = useAppForm({
    schema,
    initialValues,
    send: async (correction) => void (await correct.mutateAsync({ ...correction, dryRun: true })),
    // Shown at the foot, beside the button of either step.
    toMessage: () => '',
  });
  const isTyped = useSignalValue(form.store.dirty);
  const failed = correct.error ? problemOf(correct.error, []).rest : null;

  const footer =
    step.kind === 'edit' ? (
      <Button
        loading={correct.isPending}
        onMouseDown={keepFocus}
        onClick={() => submit(form.store)}
      >
        Посмотреть, что изменится
      </Button>
    ) : step.kind === 'preview' ? (
      <>
        <Button data-autofocus variant="default" onClick={() => setStep({ kind: 'edit' })}>
          Назад к ключу
        </Button>
        <Button
          loading={correct.isPending}
          onClick={() => correct.mutate({ ...step.correction, dryRun: false })}
        >
          Исправить ключ
        </Button>
      </>
    ) : (
      <Button data-autofocus onClick={onClose}>
        Готово
      </Button>
    );

  return (
    <FormModal
      opened
      onClose={onClose}
      isDirty={step.kind === 'preview' || (step.kind === 'edit' && isTyped)}
      unsaved={UNSAVED}
      size="lg"
      title={step.kind === 'done' ? 'Ключ исправлен' : `Исправить ключ вопроса ${number}?`}
      footer={
        <>
          <div role="alert">{failed !== null && <FieldError>{failed}</FieldError>}</div>
          {footer}
        </>
      }
    >
      {step.kind === 'edit' ? (
        <KeyForm of={form} question={question} />
      ) : (
        <Changes outcome={step.outcome} isDone={step.kind === 'done'} />
      )}
    </FormModal>
  );
}
