import { Button, Stack } from '@mantine/core';
import { IconArchive, IconCheck, IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedTest } from '#contract/authoring.ts';
import type { TestLifecycle } from '#contract/tests.ts';
import { TESTS } from '#domain/format.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ListFilters } from '#app/lib/list/ListFilters.tsx';
import { ListPage } from '#app/lib/list/ListPage.tsx';
import { useList, type OnSearch } from '#app/lib/list/use-list.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { SharingModal } from '#app/lib/sharing/SharingModal.tsx';
import { createdFilters } from './created-filters.ts';
import { createdAddress, PAGE_SIZE, type CreatedSearch } from './created-search.ts';
import { CreatedRows } from './CreatedRows.tsx';
import { CreateTestOptions } from './CreateTestOptions.tsx';
import { CreateTestButton } from './CreateTestButton.tsx';
import { DeleteTestModal } from './DeleteTestModal.tsx';
import { TestsToGrade } from './TestsToGrade.tsx';
import { createdTestsQuery } from './queries.ts';
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

/** Archives, restores and copies a test of the list. */
function useRowActions(onDone: (done: Done) => void) {
  const lifecycle = useSetLifecycle();
  const copy = useDuplicateTest();
  const moveTo = (test: CreatedTest, before: TestLifecycle, after: TestLifecycle) => {
    copy.reset();
    lifecycle.mutate(
      { id: test.id, lifecycle: after },
      { onSuccess: () => onDone({ kind: 'lifecycle', test, before, after }) },
    );
  };
  const duplicate = (test: CreatedTest) => {
    // A second click during the call makes no second copy.
    if (copy.isPending) return;
    lifecycle.reset();
    copy.mutate(test.id, {
      onSuccess: (copyId) => onDone({ kind: 'copied', title: test.title, copyId }),
    });
  };
  return { moveTo, duplicate, failure: lifecycle.error ?? copy.error };
}

/** The teacher's own and shared tests, searched, filtered and paged on the server. */
export function CreatedTests({ search, onSearch, isAdmin, withCreate }: CreatedTestsProps) {
  const list = useList({
    query: usePageQuery(createdTestsQuery(search)),
    search,
    onSearch,
    address: createdAddress,
    pageSize: PAGE_SIZE,
    // To the tests of all teachers.
    leadsOn: isAdmin,
  });
  const [done, setDone] = useState<Done | null>(null);
  const [deleting, setDeleting] = useState<CreatedTest | null>(null);
  const [sharing, setSharing] = useState<CreatedTest | null>(null);
  const { moveTo, duplicate, failure } = useRowActions(setDone);

  return (
    <Stack>
      <ListPage
        list={list}
        counted={TESTS}
        controls={
          <>
            {withCreate && <CreateTestOptions isStacked />}
            <ListFilters
              list={list}
              counted={TESTS}
              search={{
                label: 'Поиск по названию или теме',
                placeholder: 'Найти по названию или теме',
                shortPlaceholder: 'Найти тест',
              }}
              filters={createdFilters(search, onSearch, isAdmin)}
            />
          </>
        }
        notes={
          failure ? (
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
          )
        }
        none={
          <EmptyState heading="Пока нет созданных тестов" action={<CreateTestButton />}>
            Создайте первый: он останется черновиком, пока вы его не опубликуете.
          </EmptyState>
        }
        nothing={{
          message: 'Измените запрос или сбросьте фильтры: тогда будут видны все тесты.',
        }}
      >
        {({ items }) => (
          <>
            <CreatedRows
              items={items}
              withOwner={search.everyones === '1'}
              onDuplicate={duplicate}
              onMove={moveTo}
              onDelete={setDeleting}
              onShare={setSharing}
            />
            {!list.isNarrowed && <TestsToGrade listed={items} />}
          </>
        )}
      </ListPage>
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
