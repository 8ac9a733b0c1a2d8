import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decideTestHeld, type HeldOfAttempt } from '#contract/grading.ts';
import { ANSWERS, formatCount } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import type { GradingSearch } from './grading-search.ts';
import classes from './grading.module.css';
import { HeldAttempt, type Decision } from './HeldAttempt.tsx';
import { heldQuery, renewMarks } from './queries.ts';
import { classChange, classChangeWords } from './words.ts';

/** As many as one call takes. */
const AT_ONCE = 2_000;

const openIds = (attempts: readonly HeldOfAttempt[]): string[] =>
  attempts.flatMap(({ answers }) =>
    answers.filter((answer) => answer.decision === null).map((answer) => answer.operationId),
  );

function useDecide(testId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, decision }: { ids: readonly string[]; decision: Decision }) => {
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const operationIds = ids.slice(from, from + AT_ONCE);
        await call(decideTestHeld, {
          params: { id: testId },
          body: { operationIds, decision },
        });
      }
    },
    onSettled: () => renewMarks(client),
  });
}

/** Answers that came too late to count by themselves: accepted or refused here, one by one or all. */
export function HeldView({ testId, search }: { testId: string; search: GradingSearch }) {
  const { data, problem, retry } = usePageQuery(heldQuery(testId, search));
  const decide = useDecide(testId);
  const [asked, setAsked] = useState<Decision | null>(null);
  if (!data)
    return problem === null ? <RowsSkeleton /> : <QueryProblem error={problem} onRetry={retry} />;
  if (data.length === 0) {
    return (
      <EmptyState heading="Спорных поздних ответов нет">
        Ответы, дошедшие в пределах срока приёма, засчитываются сами, пока ученик не мог увидеть
        результат. Здесь появятся те, о которых решаете вы
      </EmptyState>
    );
  }
  const open = openIds(data);
  const change = classChange(data, asked ?? 'accepted');
  const close = () => setAsked(null);
  return (
    <section className={classes.list} aria-label="Поздние ответы">
      <p className={classes.dimmed}>
        Эти ответы сохранены и пока не засчитаны. Часы устройства ничего не доказывают: решайте по
        тому, что знаете об уроке. Решение можно изменить позже.
      </p>
      {open.length > 0 && (
        <div className={classes.forAll}>
          <p>
            <b>Без решения: {formatCount(open.length, ANSWERS)}</b>
          </p>
          <Button size="sm" variant="default" onClick={() => setAsked('accepted')}>
            Принять все…
          </Button>
          <Button size="sm" variant="default" onClick={() => setAsked('refused')}>
            Отклонить все…
          </Button>
        </div>
      )}
      <div role="alert">
        {decide.error && asked === null && <FieldError>{failureWords(decide.error)}</FieldError>}
      </div>
      {data.map((attempt) => (
        <HeldAttempt
          key={attempt.attemptId}
          attempt={attempt}
          isBusy={decide.isPending}
          onDecide={(ids, decision) => decide.mutate({ ids, decision })}
        />
      ))}
      <ConfirmSheet
        opened={asked !== null}
        onClose={close}
        title={
          asked === 'refused' ? 'Отклонить все поздние ответы?' : 'Принять все поздние ответы?'
        }
        confirm={asked === 'refused' ? 'Отклонить все' : 'Принять все'}
        cancel="Не сейчас"
        isBusy={decide.isPending}
        problem={decide.error ? failureWords(decide.error) : null}
        onConfirm={() => {
          if (asked) decide.mutate({ ids: open, decision: asked }, { onSuccess: close });
        }}
      >
        {formatCount(open.length, ANSWERS)} без решения. {classChangeWords(change)} Уже принятые
        решения останутся.
      </ConfirmSheet>
    </section>
  );
}
