import { Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GradingEntry } from '#contract/grading.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import type { GradeDrafts } from './drafts.ts';
import { renewMarks, showGraded } from './queries.ts';
import type { FailedGrade, Failures } from './use-failures.ts';
import { useSaveGrade } from './use-save-grade.ts';

export interface FailedGradesProps {
  testId: string;
  drafts: GradeDrafts;
  failures: Failures;
  /** The open answer, which shows its own failure. */
  except: string | null;
  onBack: (failed: FailedGrade) => void;
  /** Called when a retry has succeeded. */
  onSaved: (saved: GradingEntry) => void;
}

function Failed({
  testId,
  drafts,
  failures,
  failed,
  onBack,
  onSaved,
  onNotice,
}: Omit<FailedGradesProps, 'except'> & {
  failed: FailedGrade;
  onNotice: (message: string | null) => void;
}) {
  const client = useQueryClient();
  const { userName, number, attemptNumber } = failed.submitted.entry;
  const { fields, rest } = failed.problem;
  const save = useSaveGrade({
    drafts,
    failures,
    onSaved: (saved, replaced) => {
      onNotice(replaced);
      onSaved(saved);
      showGraded(client, testId, saved);
      void renewMarks(client);
    },
    onProblem: () => undefined,
  });
  return (
    <InlineNote
      tone="bad"
      action={
        <Group gap="0.5rem 1rem">
          <Button size="sm" onClick={() => onBack(failed)}>
            К ответу
          </Button>
          {failed.canRetry && (
            <Button
              size="sm"
              variant="default"
              loading={save.isPending}
              onClick={() => save.mutate(failed.submitted)}
            >
              Повторить
            </Button>
          )}
        </Group>
      }
    >
      Оценка не сохранена: {userName}, вопрос {number}
      {attemptNumber > 1 && `, попытка ${attemptNumber}`}. {rest ?? [...fields.values()].join('. ')}{' '}
      Написанное не потеряно.
    </InlineNote>
  );
}

/** Grades that could not be saved after their answers were closed. */
export function FailedGrades({ except, ...props }: FailedGradesProps) {
  const [notice, setNotice] = useState<string | null>(null);
  const shown = props.failures.all.filter(({ item }) => item !== except);
  return (
    <>
      {notice !== null && (
        <InlineNote tone="warn" role="status">
          {notice}
        </InlineNote>
      )}
      {shown.length > 0 && (
        // Stays visible while an answer is scrolled.
        <Stack
          role="alert"
          className="sticky scroll-y"
          gap="xs"
          top="calc(var(--app-header) + 0.5rem)"
          mah="40dvh"
          style={{ zIndex: 10 }}
        >
          {shown.map((failed) => (
            <Failed key={failed.item} {...props} failed={failed} onNotice={setNotice} />
          ))}
        </Stack>
      )}
    </>
  );
}
