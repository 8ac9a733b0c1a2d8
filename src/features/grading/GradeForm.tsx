import { Button, Group, Text, Textarea } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { GradingEntry } from '#contract/grading.ts';
import { isGradedByHand } from '#domain/scoring.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { Kbd } from '#app/ui/Kbd.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { isSameDraft, type Draft, type Drafts } from './drafts.ts';
import { cx } from '#app/ui/cx.ts';
import classes from './grading.module.css';
import { readPoints, writePoints } from './points.ts';
import { PointsField } from './PointsField.tsx';
import { itemOf } from './queue.ts';
import type { Failures } from './use-failures.ts';
import { useSaveGrade } from './use-save-grade.ts';
import type { Problem } from './messages.ts';

const COMMENT_MOST = 2_000;
const REASON_MOST = 500;
const NO_PROBLEM: Problem = { fields: new Map(), rest: null };

const savedDraft = (entry: GradingEntry): Draft => ({
  points: entry.gradedBy === 'person' && entry.points !== null ? writePoints(entry.points) : '',
  comment: entry.comment,
  reason: entry.reason,
  operationId: entry.operationId,
});

export interface GradeFormProps {
  entry: GradingEntry;
  drafts: Drafts;
  failures: Failures;
  /** No other answer is ungraded. */
  isLast: boolean;
  takesFocus: boolean;
  /** The updated entry, an additional notice, and whether this answer is finished. */
  onSaved: (saved: GradingEntry, notice: string | null, isDone: boolean) => void;
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
  const [typed, setTyped] = useState<Draft | undefined>(() => drafts.get(item));
  const [wrong, setWrong] = useState<Problem | null>(null);
  // On return to an unsaved grade its error is focused, also when the error arrives later.
  const failed = failures.all.find((each) => each.item === item);
  const problem = wrong ?? failed?.problem ?? NO_PROBLEM;
  const pointsField = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const isShown = useRef(false);
  const draft = typed ?? saved;
  const needsReason = !isGradedByHand(entry.question);
  const isOther = typed !== undefined && typed.operationId !== entry.operationId;

  useEffect(() => {
    // On a phone the keyboard would cover the answer.
    if (takesFocus && window.matchMedia('(pointer: fine)').matches)
      pointsField.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const change = (part: Partial<Draft>) => {
    const next = { ...draft, operationId: typed?.operationId ?? entry.operationId, ...part };
    const kept = isSameDraft(next, saved) ? undefined : next;
    drafts.set(item, kept);
    setTyped(kept);
    setWrong(null);
    failures.drop(item);
  };

  const save = useSaveGrade({
    drafts,
    failures,
    onSaved: (graded, notice, isDone) => {
      if (isDone) setTyped(undefined);
      onSaved(graded, notice, isDone && isShown.current);
    },
    onProblem: () => void focusWrong(),
  });
  const send = (points: number | null) => {
    failures.drop(item);
    save.mutate({ entry, points, draft });
  };

  const focusWrong = () =>
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(),
    );

  const submit = () => {
    if (save.isPending) return;
    const read = readPoints(draft.points, entry.maxPoints);
    const fields = new Map<string, string>();
    if (read.error !== null) fields.set('points', read.error);
    if (needsReason && draft.reason.trim() === '')
      fields.set('reason', 'Напишите, почему балл по ключу меняется');
    setWrong(fields.size > 0 ? { fields, rest: null } : null);
    if (fields.size > 0 || read.points === null) {
      focusWrong();
      return;
    }
    // From here on the displayed answer is the one being graded.
    if (isOther) change({ operationId: entry.operationId });
    send(read.points);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Ctrl and Enter save from any field
    <form
      ref={form}
      className={cx(classes.form, 'line-above')}
      aria-label="Оценка"
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {isOther && (
        <InlineNote tone="warn" role="status">
          Пока вы проверяли, от ученика дошёл другой ответ: он показан выше. То, что вы написали,
          сохранено.
        </InlineNote>
      )}
      <PointsField
        value={draft.points}
        max={entry.maxPoints}
        error={problem.fields.get('points')}
        fieldRef={pointsField}
        onChange={(points) => change({ points })}
      />
      {needsReason && (
        <Textarea
          label="Почему балл по ключу меняется"
          rows={2}
          maxLength={REASON_MOST}
          value={draft.reason}
          error={problem.fields.get('reason')}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
      )}
      <Textarea
        label="Комментарий ученику"
        rows={3}
        maxLength={COMMENT_MOST}
        value={draft.comment}
        error={problem.fields.get('comment')}
        onChange={(event) => change({ comment: event.currentTarget.value })}
      />
      <div role="alert">{problem.rest !== null && <FieldError>{problem.rest}</FieldError>}</div>
      <Group className={classes.actions} gap="0.5rem 1rem">
        <Button type="submit" loading={save.isPending}>
          {isLast ? 'Сохранить' : 'Сохранить и дальше'}
        </Button>
        {entry.gradedBy === 'person' && (
          <QuietButton
            onClick={() => {
              if (!save.isPending) send(null);
            }}
          >
            {needsReason ? 'Вернуть балл по ключу' : 'Снять оценку'}
          </QuietButton>
        )}
        <Text className={classes.hints} c="dimmed" fz="sm" aria-hidden>
          <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> сохранить, <Kbd>K</Kbd> <Kbd>J</Kbd> назад и дальше, в
          поле с <Kbd>Alt</Kbd>
        </Text>
      </Group>
    </form>
  );
}
