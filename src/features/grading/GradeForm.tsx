import { Button, Group, Text } from '@mantine/core';
import { LimitedTextarea } from '#app/ui/forms/LimitedField.tsx';
import { reset, setError, type FormStore } from '@modular-forms/react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import * as v from 'valibot';
import type { GradingEntry } from '#contract/grading.ts';
import { isGradedByHand } from '#domain/scoring.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { keepFocus } from '#app/ui/forms/FormFoot.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { Kbd } from '#app/ui/Kbd.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { isSameDraft, type GradeDraft, type GradeDrafts } from './drafts.ts';
import { readPoints, writePoints } from './points.ts';
import { PointsField } from './PointsField.tsx';
import { itemOf } from './queue.ts';
import type { Failures } from './use-failures.ts';
import { useSaveGrade } from './use-save-grade.ts';

const MAX_COMMENT_LENGTH = 2_000;
const MAX_REASON_LENGTH = 500;

const gradeSchema = (max: number, needsReason: boolean) =>
  v.object({
    points: v.pipe(
      v.string(),
      v.check(
        (points) => readPoints(points, max).error === null,
        ({ input }) => readPoints(input, max).error ?? '',
      ),
    ),
    reason: needsReason
      ? v.pipe(v.string(), v.trim(), v.nonEmpty('Напишите, почему балл по ключу меняется'))
      : v.optional(v.string()),
    comment: v.string(),
  });
type Grade = Pick<GradeDraft, 'points' | 'reason' | 'comment'>;
/** The draft as values of a form, which need no interface. */
type Draft = Pick<GradeDraft, keyof GradeDraft>;

const savedDraft = (entry: GradingEntry): GradeDraft => ({
  points: entry.gradedBy === 'person' && entry.points !== null ? writePoints(entry.points) : '',
  comment: entry.comment,
  reason: entry.reason,
  operationId: entry.operationId,
});

export interface GradeFormProps {
  entry: GradingEntry;
  drafts: GradeDrafts;
  failures: Failures;
  /** No other answer is ungraded. */
  isLast: boolean;
  takesFocus: boolean;
  /** The updated entry, an additional notice, and whether this answer is finished. */
  onSaved: (saved: GradingEntry, notice: string | null, isDone: boolean) => void;
}

/** Focus and displayed values of the form. Returns whether the form is mounted. */
function useFormEffects(
  store: FormStore<Draft>,
  {
    saved: { points, reason, comment },
    isTyped,
    takesFocus,
    problem,
  }: {
    saved: GradeDraft;
    isTyped: boolean;
    takesFocus: boolean;
    problem: Failures['all'][number]['problem'] | undefined;
  },
) {
  const isShown = useRef(false);
  useEffect(() => {
    // On a phone the keyboard would cover the answer.
    if (takesFocus && window.matchMedia('(pointer: fine)').matches)
      store.element.peek()?.querySelector('input')?.focus({ preventScroll: true });
  }, [takesFocus, store]);

  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  // A saved grade, also by others, is shown if nothing else is typed.
  useEffect(() => {
    if (!isTyped) reset(store, { initialValues: { points, reason, comment } });
  }, [isTyped, points, reason, comment, store]);

  // A save may fail after its form was closed: the error is shown once it is open again.
  useEffect(() => {
    for (const [field, message] of problem?.fields ?? [])
      setError(store, field as keyof Grade, message, { shouldFocus: false, shouldActive: false });
  }, [problem, store]);
  return isShown;
}

function GradeFields({
  of,
  maxPoints,
  needsReason,
}: {
  of: { store: FormStore<Draft> };
  maxPoints: number;
  needsReason: boolean;
}) {
  return (
    <>
      <FormField of={of} component={PointsField} name="points" max={maxPoints} />
      {needsReason && (
        <FormField
          of={of}
          component={LimitedTextarea}
          name="reason"
          label="Почему балл по ключу меняется"
          rows={3}
          maxLength={MAX_REASON_LENGTH}
        />
      )}
      <FormField
        of={of}
        component={LimitedTextarea}
        name="comment"
        label="Комментарий ученику"
        rows={3}
        maxLength={MAX_COMMENT_LENGTH}
      />
    </>
  );
}

function FormButtons({
  isLast,
  isSaving,
  removeLabel,
  onRemove,
}: {
  isLast: boolean;
  isSaving: boolean;
  /** Null: there is no grade to remove. */
  removeLabel: string | null;
  onRemove: () => void;
}) {
  return (
    <Group className="wide-on-phones" gap="0.5rem 1rem">
      <Button type="submit" onMouseDown={keepFocus} loading={isSaving}>
        {isLast ? 'Сохранить' : 'Сохранить и дальше'}
      </Button>
      {removeLabel !== null && (
        <QuietButton
          onClick={() => {
            if (!isSaving) onRemove();
          }}
        >
          {removeLabel}
        </QuietButton>
      )}
      <Text className="with-keyboard" c="dimmed" fz="sm" aria-hidden>
        <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> сохранить, <Kbd>K</Kbd> <Kbd>J</Kbd> назад и дальше, в поле
        с <Kbd>Alt</Kbd>
      </Text>
    </Group>
  );
}

/** The grade form of one answer. Its draft survives navigation until it is saved. */
export function GradeForm({
  entry,
  drafts,
  failures,
  isLast,
  takesFocus,
  onSaved,
}: GradeFormProps) {
  const item = itemOf(entry);
  const saved = savedDraft(entry);
  const [typed, setTyped] = useState<GradeDraft | undefined>(() => drafts.get(item));
  const draft = typed ?? saved;
  const failed = failures.all.find((each) => each.item === item);
  const needsReason = !isGradedByHand(entry.question);
  const isOther = typed !== undefined && typed.operationId !== entry.operationId;

  const change = (next: GradeDraft) => {
    const changed = isSameDraft(next, saved) ? undefined : next;
    drafts.set(item, changed);
    setTyped(changed);
    failures.drop(item);
  };
  const form = useAppForm({
    schema: gradeSchema(entry.maxPoints, needsReason),
    initialValues: draft,
    onValues: (values) => {
      const operationId = typed?.operationId ?? entry.operationId;
      const next = { ...draft, ...values, operationId };
      if (!isSameDraft(next, draft)) change(next);
    },
    send: () => {
      if (save.isPending) return;
      // From here on the displayed answer is the one being graded.
      if (isOther) change({ ...draft, operationId: entry.operationId });
      send(readPoints(draft.points, entry.maxPoints).points);
    },
  });
  const { store } = form;
  const isTyped = typed !== undefined;

  const isShown = useFormEffects(store, { saved, isTyped, takesFocus, problem: failed?.problem });

  const save = useSaveGrade({
    drafts,
    failures,
    onSaved: (graded, notice, isDone) => {
      if (isDone) setTyped(undefined);
      onSaved(graded, notice, isDone && isShown.current);
    },
    onProblem: () =>
      requestAnimationFrame(() =>
        store.element.peek()?.querySelector<HTMLElement>('[aria-invalid]')?.focus(),
      ),
  });
  const send = (given: number | null) => {
    failures.drop(item);
    save.mutate({ entry, points: given, draft });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    store.element.peek()?.requestSubmit();
  };

  return (
    <AppForm
      of={form}
      className="line-above"
      style={{ paddingTop: '1rem' }}
      aria-label="Оценка"
      onKeyDown={onKeyDown}
    >
      {isOther && (
        <InlineNote tone="warn" role="status">
          Пока вы проверяли, от ученика дошёл другой ответ: он показан выше. То, что вы написали,
          сохранено.
        </InlineNote>
      )}
      <GradeFields of={form} maxPoints={entry.maxPoints} needsReason={needsReason} />
      <div role="alert">
        <FieldError>{failed?.problem.rest ?? undefined}</FieldError>
      </div>
      <FormButtons
        isLast={isLast}
        isSaving={save.isPending}
        removeLabel={
          entry.gradedBy !== 'person'
            ? null
            : needsReason
              ? 'Вернуть балл по ключу'
              : 'Снять оценку'
        }
        onRemove={() => send(null)}
      />
    </AppForm>
  );
}
