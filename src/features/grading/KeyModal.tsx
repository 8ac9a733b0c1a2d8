import { Box, Button, Flex, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { correctKey } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import type { ReplyOf } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { QuestionText } from '#app/lib/QuestionText.tsx';
import type { ResolveImage } from '#app/ui/rich-text/pictures.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FormModal } from '#app/ui/overlays/FormModal.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import classes from './grading.module.css';
import { KeyFields } from './KeyFields.tsx';
import { renewMarks } from './queries.ts';
import { readKey, typedKey, type TypedKey } from './typed-key.ts';
import { formatChange, problemOf, rescoredMessage } from './messages.ts';

export interface KeyModalProps {
  testId: string;
  question: Question;
  number: number;
  resolveImage?: ResolveImage;
  onClose: () => void;
}

type Outcome = ReplyOf<typeof correctKey>;
type Step =
  | { readonly kind: 'edit' }
  | { readonly kind: 'preview'; readonly question: Question; readonly outcome: Outcome }
  | { readonly kind: 'done'; readonly outcome: Outcome };

/** The number of names listed before confirming. */
const NAMED = 20;
const REASON_MOST = 500;
const REASON_MISSING = 'Напишите, что исправлено';
const UNSAVED = 'Ключ ещё не исправлен: то, что вы изменили, пропадёт.';

const isSame = (a: TypedKey, b: TypedKey) => JSON.stringify(a) === JSON.stringify(b);

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

/** Corrects a wrong key: edit, preview of the changed marks, then rescoring of all attempts. */
export function KeyModal({ testId, question, number, resolveImage, onClose }: KeyModalProps) {
  const client = useQueryClient();
  const [start] = useState(() => typedKey(question));
  const [typed, setTyped] = useState(start);
  const [reason, setReason] = useState('');
  const [step, setStep] = useState<Step>({ kind: 'edit' });
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const form = useRef<HTMLDivElement>(null);
  const error = (field: string) => problems.get(field) ?? '';
  const change = (part: Partial<TypedKey>) => {
    setTyped({ ...typed, ...part });
    setProblems(new Map());
  };
  const correct = useMutation({
    mutationFn: (correction: { question: Question; dryRun: boolean }) =>
      call(correctKey, { params: { id: testId }, body: { ...correction, reason } }),
    onSuccess: (outcome, correction) => {
      if (correction.dryRun)
        return setStep({ kind: 'preview', question: correction.question, outcome });
      setStep({ kind: 'done', outcome });
      void renewMarks(client);
    },
  });
  const failed = correct.error ? problemOf(correct.error, []).rest : null;

  const look = () => {
    const read = readKey(question, typed);
    const found = new Map(read.problems);
    if (reason.trim() === '') found.set('reason', REASON_MISSING);
    setProblems(found);
    if (found.size > 0 || !read.question) {
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(),
      );
      return;
    }
    correct.mutate({ question: read.question, dryRun: true });
  };

  const footer =
    step.kind === 'edit' ? (
      <Button loading={correct.isPending} onClick={look}>
        Посмотреть, что изменится
      </Button>
    ) : step.kind === 'preview' ? (
      <>
        <Button data-autofocus variant="default" onClick={() => setStep({ kind: 'edit' })}>
          Назад к ключу
        </Button>
        <Button
          loading={correct.isPending}
          onClick={() => correct.mutate({ question: step.question, dryRun: false })}
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
      isDirty={step.kind !== 'done' && (reason.trim() !== '' || !isSame(typed, start))}
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
        <Stack ref={form} className={classes.keyForm}>
          <QuestionText question={question} resolveImage={resolveImage} />
          <InlineNote>
            Меняется только ключ. Текст, варианты и баллы остаются такими, какими их видели ученики.
            Оценки, поставленные вручную, не изменятся.
          </InlineNote>
          <KeyFields question={question} typed={typed} error={error} onChange={change} />
          <Textarea
            label="Пояснение к верному ответу"
            rows={2}
            value={typed.explanation}
            onChange={(event) => change({ explanation: event.currentTarget.value })}
          />
          <Textarea
            label="Что исправлено"
            rows={2}
            maxLength={REASON_MOST}
            value={reason}
            error={error('reason')}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              setProblems(new Map());
            }}
          />
        </Stack>
      ) : (
        <Changes outcome={step.outcome} isDone={step.kind === 'done'} />
      )}
    </FormModal>
  );
}
