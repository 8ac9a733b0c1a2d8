import { Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { GradingEntry } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import { PENDING_REVIEW_LABEL } from '#domain/labels-status.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import type { GradingSearch } from './grading-search.ts';
import { scopeOf } from './queries.ts';

const FIELD = { flex: '1 1 9rem', maw: '16rem' } as const;

export interface FilterLineProps {
  search: GradingSearch;
  onSearch: OnSearch<GradingSearch>;
  questions: readonly { question: Question; number: number; pending: number; answered: number }[];
  /** The open answer. */
  entry: GradingEntry | undefined;
}

/** Filters of the queue: ungraded or all answers, question, student. */
export function FilterLine({ search, onSearch, questions, entry }: FilterLineProps) {
  const { attemptId, questionId } = search;
  const scope = scopeOf(search);
  const shows = search.show ?? 'pending';
  if (attemptId !== undefined) {
    return (
      <Group gap="0.5rem 1rem">
        <span>
          {entry
            ? `Все ответы: ${entry.userName}, попытка ${entry.attemptNumber}`
            : 'Все ответы одной попытки'}
        </span>
        <QuietButton icon={IconX} onClick={() => onSearch(scope, { replace: false })}>
          К очереди
        </QuietButton>
      </Group>
    );
  }
  const narrowed = questionId === undefined ? {} : { questionId };
  return (
    <Group gap="0.5rem 1rem">
      <SelectField
        label="Показать ответы"
        labelHidden
        native
        {...FIELD}
        choices={[
          { value: 'pending', label: PENDING_REVIEW_LABEL },
          { value: 'all', label: 'Все ответы' },
        ]}
        value={shows}
        onChange={(value) =>
          onSearch(
            { ...scope, ...narrowed, ...(value === 'all' ? { show: 'all' as const } : {}) },
            { replace: false },
          )
        }
      />
      <SelectField
        label="Вопрос"
        labelHidden
        native
        {...FIELD}
        choices={[
          { value: '', label: 'Все вопросы' },
          ...questions.map(({ question, number, pending, answered }) => ({
            value: question.questionId,
            label:
              pending > 0
                ? `Вопрос ${number}: на проверке ${pending}`
                : `Вопрос ${number}: ответов ${answered}`,
          })),
        ]}
        value={questionId ?? ''}
        onChange={(value) =>
          onSearch(
            {
              ...scope,
              ...(value === '' ? {} : { questionId: value }),
              ...(search.show ? { show: search.show } : {}),
            },
            { replace: false },
          )
        }
      />
    </Group>
  );
}
