import { Button, Flex, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decideTestHeld, type HeldOfAttempt } from '#contract/grading.ts';
import { ANSWERS, formatCount } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import type { GradingSearch } from './grading-search.ts';
import { HeldAttempt, type Decision } from './HeldAttempt.tsx';
import { heldQuery, renewMarks } from './queries.ts';
import { classChange, formatClassChange } from './messages.ts';

/** The maximum per call. */
const MAX_PER_CALL = 2_000;

const openIds = (attempts: readonly HeldOfAttempt[]): string[] =>
  attempts.flatMap(({ answers }) =>
    answers.filter((answer) => answer.decision === null).map((answer) => answer.operationId),
  );

function useDecide(testId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, decision }: { ids: readonly string[]; decision: Decision }) => {
      for (let from = 0; from < ids.length; from += MAX_PER_CALL) {
        const operationIds = ids.slice(from, from + MAX_PER_CALL);
        await call(decideTestHeld, {
          params: { id: testId },
          body: { operationIds, decision },
        });
      }
    },
    onSettled: () => renewMarks(client),
  });
}

/** Answers that arrived too late to count automatically: accepted or refused here, singly or all at once. */
export function HeldView({ testId, search }: { testId: string; search: GradingSearch }) {
  const { data, problem, retry } = usePageQuery(heldQuery(testId, search));
  const decide = useDecide(testId);
  const [pendingDecision, setPendingDecision] = useState<Decision | null>(null);
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
  const change = classChange(data, pendingDecision ?? 'accepted');
  const ask = (decision: Decision) => {
    if (decide.isError) decide.reset();
    setPendingDecision(decision);
  };
  const close = () => setPendingDecision(null);
  return (
    <Flex component="section" direction="column" gap="md" maw="48rem" aria-label="Поздние ответы">
      <Text size="sm" c="dimmed">
        Эти ответы сохранены и пока не засчитаны. Часы устройства ничего не доказывают: решайте по
        тому, что знаете об уроке. Решение можно изменить позже.
      </Text>
      {open.length > 0 && (
        <Group gap="0.5rem 1rem">
          <p>
            <b>Без решения: {formatCount(open.length, ANSWERS)}</b>
          </p>
          <Button size="sm" variant="default" onClick={() => ask('accepted')}>
            Принять все…
          </Button>
          <Button size="sm" variant="default" onClick={() => ask('refused')}>
            Отклонить все…
          </Button>
        </Group>
      )}
      <div role="alert">
        {decide.error && pendingDecision === null && (
          <FieldError>{describeFailure(decide.error)}</FieldError>
        )}
      </div>
      {data.map((attempt) => (
        <HeldAttempt
          key={attempt.attemptId}
          attempt={attempt}
          isBusy={decide.isPending}
          onDecide={(ids, decision) => decide.mutate({ ids, decision })}
        />
      ))}
      <ConfirmModal
        opened={pendingDecision !== null}
        onClose={close}
        title={
          pendingDecision === 'refused'
            ? 'Отклонить все поздние ответы?'
            : 'Принять все поздние ответы?'
        }
        confirm={pendingDecision === 'refused' ? 'Отклонить все' : 'Принять все'}
        cancel="Не сейчас"
        isBusy={decide.isPending}
        problem={decide.error ? describeFailure(decide.error) : null}
        onConfirm={() => {
          if (pendingDecision)
            decide.mutate({ ids: open, decision: pendingDecision }, { onSuccess: close });
        }}
      >
        {formatCount(open.length, ANSWERS)} без решения. {formatClassChange(change)} Уже принятые
        решения останутся.
      </ConfirmModal>
    </Flex>
  );
}
