import { Button, Stack, VisuallyHidden } from '@mantine/core';
import { IconArchive, IconCheck, IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedTest } from '#contract/authoring.ts';
import type { TestLifecycle } from '#contract/tests.ts';
import { isNarrowed } from '#domain/address.ts';
import { formatCount, TESTS } from '#domain/format.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { useLastPage, type OnSearch } from '#app/lib/list-page.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FilterBar } from '#app/ui/data/FilterBar.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { Pager } from '#app/ui/data/Pager.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { SharingModal } from '#app/lib/sharing/SharingModal.tsx';
import { createdFilters } from '#app/authoring/created-filters.ts';
import { changedSearch, PAGE_SIZE, type CreatedSearch } from '#app/authoring/created-search.ts';
import { CreatedRows } from './CreatedRows.tsx';
import { CreatedWays } from './CreatedWays.tsx';
import { CreateTestButton } from './CreateTestButton.tsx';
import { DeleteTestModal } from './DeleteTestModal.tsx';
import { TestsToGrade } from './TestsToGrade.tsx';
import { createdTestsQuery } from '#app/authoring/queries.ts';
import { useDuplicateTest, useSetLifecycle } from './use-test-actions.ts';

/** The last action, with undo. */
type Done =
  | { kind: 'lifecycle'; test: CreatedTest; before: TestLifecycle; after: TestLifecycle }
  | { kind: 'copied'; title: string; copyId: string }
  | { kind: 'deleted'; title: string; outcome: 'deleted' | 'archived' };

export interface CreatedTestsProps {
  search: CreatedSearch;
  onSearch: OnSearch<CreatedSearch>;
  isAdmin: boolean;
  /** If the heading has no space for «Создать тест», it is above the list. */
  withCreate: boolean;
}

function DoneNote({ done, onUndo }: { done: Done; onUndo: () => void }) {
  if (done.kind === 'copied') {
    return (
      <InlineNote
        tone="ink"
        icon={IconCopy}
        role="status"
        action={
          <Link to="/tests/manage/$testId/edit" params={{ testId: done.copyId }}>
            Открыть копию
          </Link>
        }
      >
        Сделана копия теста «{done.title}». Она никому не назначена, прошедшие сроки убраны.
      </InlineNote>
    );
  }
  if (done.kind === 'deleted') {
    return (
      <InlineNote tone="ink" icon={IconCheck} role="status">
        {done.outcome === 'deleted'
          ? `Тест «${done.title}» удалён.`
          : `По тесту «${done.title}» есть попытки: он в архиве, результаты сохранены.`}
      </InlineNote>
    );
  }
  const { test, after } = done;
  return (
    <InlineNote
      tone="ink"
      icon={IconArchive}
      role="status"
      action={
        <Button size="sm" variant="default" onClick={onUndo}>
          Отменить
        </Button>
      }
    >
      {after === 'archived'
        ? `Тест «${test.title}» в архиве: начать его больше нельзя, результаты сохранены.`
        : `Тест «${test.title}» возвращён из архива.`}
    </InlineNote>
  );
}

/** The teacher's own and shared tests, searched, filtered and paged on the server. */
export function CreatedTests({ search, onSearch, isAdmin, withCreate }: CreatedTestsProps) {
  const { data, problem, retry, isPrevious } = usePageQuery(createdTestsQuery(search));
  const [done, setDone] = useState<Done | null>(null);
  const [deleting, setDeleting] = useState<CreatedTest | null>(null);
  const [sharing, setSharing] = useState<CreatedTest | null>(null);
  const lifecycle = useSetLifecycle();
  const copy = useDuplicateTest();
  const total = data?.total ?? null;
  const page = search.page ?? 1;
  useLastPage({ page, pageSize: PAGE_SIZE, total: isPrevious ? null : total }, (last) =>
    onSearch(changedSearch(search, { page: last }), { replace: true }),
  );

  const moveTo = (test: CreatedTest, before: TestLifecycle, after: TestLifecycle) => {
    copy.reset();
    lifecycle.mutate(
      { id: test.id, lifecycle: after },
      { onSuccess: () => setDone({ kind: 'lifecycle', test, before, after }) },
    );
  };
  const duplicate = (test: CreatedTest) => {
    // A second click during the call makes no second copy.
    if (copy.isPending) return;
    lifecycle.reset();
    copy.mutate(test.id, {
      onSuccess: (copyId) => setDone({ kind: 'copied', title: test.title, copyId }),
    });
  };
  const failure = lifecycle.error ?? copy.error;

  if (data && total === 0 && !isPrevious && !isNarrowed(search) && done === null) {
    return (
      <EmptyState heading="Пока нет созданных тестов" action={<CreateTestButton />}>
        Создайте первый: он останется черновиком, пока вы его не опубликуете.
      </EmptyState>
    );
  }
  return (
    <Stack>
      {withCreate && <CreatedWays isStacked />}
      <FilterBar
        search={{
          label: 'Поиск по названию или теме',
          placeholder: 'Найти по названию или теме',
          shortPlaceholder: 'Найти тест',
          value: search.searchQuery ?? '',
          onSearch: (searchQuery) =>
            onSearch(changedSearch(search, { searchQuery }), { replace: true }),
        }}
        filters={createdFilters(search, onSearch, isAdmin)}
        found={total === null || isPrevious ? null : formatCount(total, TESTS)}
        onReset={() =>
          onSearch(changedSearch({}, { sortOrder: search.sortOrder }), { replace: false })
        }
      />
      <VisuallyHidden component="output">
        {total !== null && !isPrevious && `Найдено: ${formatCount(total, TESTS)}`}
      </VisuallyHidden>
      {failure ? (
        <InlineNote tone="bad" role="status">
          {describeFailure(failure)}
        </InlineNote>
      ) : (
        done && (
          <DoneNote
            done={done}
            onUndo={() => {
              if (done.kind !== 'lifecycle') return;
              moveTo(done.test, done.after, done.before);
            }}
          />
        )
      )}
      {problem !== null ? (
        <QueryProblem error={problem} onRetry={retry} />
      ) : data ? (
        <div aria-busy={isPrevious}>
          {data.items.length === 0 && total === 0 ? (
            <EmptyState heading="Ничего не найдено">
              Измените запрос или сбросьте фильтры: тогда будут видны все тесты.
            </EmptyState>
          ) : (
            <CreatedRows
              items={data.items}
              withOwner={search.everyones === '1'}
              onDuplicate={duplicate}
              onMove={moveTo}
              onDelete={setDeleting}
              onShare={setSharing}
            />
          )}
          {!isNarrowed(search) && <TestsToGrade listed={data.items} />}
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={data.total}
            onPage={(next) => onSearch(changedSearch(search, { page: next }), { replace: false })}
          />
        </div>
      ) : (
        <RowsSkeleton />
      )}
      <SharingModal
        target={sharing && { kind: 'test', id: sharing.id, name: sharing.title }}
        onClose={() => setSharing(null)}
      />
      <DeleteTestModal
        test={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={(outcome) => {
          if (deleting) setDone({ kind: 'deleted', title: deleting.title, outcome });
          setDeleting(null);
        }}
      />
    </Stack>
  );
}
