import { Button, Group, Title, VisuallyHidden } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { isNarrowed } from '#domain/address.ts';
import { formatCount, plural, TESTS } from '#domain/format.ts';
import type { Aged } from '#app/lib/aged.ts';
import { useLastPage, type OnSearch } from '#app/lib/list-page.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import type { PageData } from '#app/lib/use-page-query.ts';
import { cx } from '#app/ui/cx.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FilterBar } from '#app/ui/data/FilterBar.tsx';
import { formatRange } from '#app/ui/data/pages.ts';
import { Pager } from '#app/ui/data/Pager.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import classes from './FoundTests.module.css';
import { listFilters } from './list-filters.ts';
import { changed, PAGE_SIZE, type ListSearch } from './list-search.ts';
import { TestList, type LeadsTo, type ListItem } from './TestList.tsx';

const FOUND = ['Найден', 'Найдено', 'Найдено'] as const;

export interface FoundTestsProps {
  owner: string;
  search: ListSearch;
  onSearch: OnSearch<ListSearch>;
  query: PageData<Aged<{ items: ListItem[]; total: number }>>;
  leadsTo: LeadsTo;
  /** Placeholder of the search field, if it does not search title, author and topic. */
  searchLabel?: string;
  /** Label of the default order, if it is not newest first. */
  firstOrder?: string;
  /** Rows under a separate heading, after the others. */
  apart?: { heading: string; includes: (item: ListItem) => boolean } | undefined;
  /** Shown when the list is empty without filters. */
  empty: ReactNode;
}

const foundMessage = (total: number) => `${plural(total, FOUND)} ${formatCount(total, TESTS)}`;

/** «Найдено 130 тестов, показаны 21–40 из 130», announced when the list changes. */
function announcement(total: number, page: number): string {
  const found = foundMessage(total);
  if (total <= PAGE_SIZE) return found;
  return `${found}, показаны ${formatRange({ page, pageSize: PAGE_SIZE, total })}`;
}

function TestGroups({
  items,
  apart,
  ...list
}: Pick<FoundTestsProps, 'owner' | 'leadsTo' | 'apart'> & { items: readonly ListItem[] }) {
  if (!apart) return <TestList {...list} items={items} />;
  const others = items.filter((item) => !apart.includes(item));
  const those = items.filter(apart.includes);
  return (
    <>
      {others.length > 0 && <TestList {...list} items={others} />}
      {those.length > 0 && (
        <>
          <Title order={2} fz={18} lh={1.4} mt={others.length > 0 ? 'lg' : 0} mb="xs">
            {apart.heading}
          </Title>
          <TestList {...list} items={those} />
        </>
      )}
    </>
  );
}

/** A list of tests with search, filters, order and pages. */
export function FoundTests({
  owner,
  search,
  onSearch,
  query,
  leadsTo,
  searchLabel = 'Поиск по названию, автору или теме',
  firstOrder,
  apart,
  empty,
}: FoundTestsProps) {
  const { data, problem, retry, isPrevious } = query;
  const controls = useRef<HTMLDivElement>(null);
  const page = search.page ?? 1;
  const total = data?.data.total ?? null;
  useLastPage({ page, pageSize: PAGE_SIZE, total: isPrevious ? null : total }, (last) =>
    onSearch(changed(search, { page: last }), { replace: true }),
  );

  const reset = (replace: boolean) => {
    const { sortOrder } = search;
    onSearch(changed({}, { sortOrder }), { replace });
  };
  // Moves focus, since the pressed button is unmounted.
  const resetHere = () => {
    controls.current?.querySelector('input')?.focus();
    reset(false);
  };
  const narrowed = isNarrowed(search);
  if (data && !isPrevious && total === 0 && !narrowed) {
    return (
      <>
        <SavedAt savedAt={data.savedAt} />
        {empty}
      </>
    );
  }
  return (
    <>
      <div ref={controls}>
        <FilterBar
          search={{
            label: searchLabel,
            placeholder: 'Найти по названию или автору',
            shortPlaceholder: 'Найти тест',
            value: search.searchQuery ?? '',
            onSearch: (searchQuery) =>
              onSearch(changed(search, { searchQuery }), { replace: true }),
          }}
          filters={listFilters(search, onSearch, firstOrder)}
          found={total === null || isPrevious ? null : formatCount(total, TESTS)}
          onReset={() => reset(true)}
        />
      </div>
      <VisuallyHidden component="output">
        {total !== null && !isPrevious && announcement(total, page)}
      </VisuallyHidden>
      {narrowed && total !== 0 && (
        <Group
          className={cx('tabular', classes.narrowed)}
          justify="space-between"
          wrap="nowrap"
          mt={{ sm: -4 }}
          mb={{ sm: 4 }}
          c="dimmed"
          fz="sm"
        >
          <span>{total !== null && !isPrevious && foundMessage(total)}</span>
          <QuietButton icon={IconX} onClick={resetHere}>
            Сбросить
          </QuietButton>
        </Group>
      )}
      {problem !== null ? (
        <QueryProblem what="list" error={problem} onRetry={retry} />
      ) : data ? (
        <div className={classes.list} aria-busy={isPrevious}>
          <SavedAt savedAt={data.savedAt} />
          {data.data.items.length === 0 && total === 0 ? (
            <EmptyState
              heading="Ничего не найдено"
              action={
                <Button variant="default" onClick={resetHere}>
                  Сбросить фильтры
                </Button>
              }
            >
              Измените запрос или сбросьте фильтры: тогда будут видны все тесты.
            </EmptyState>
          ) : (
            <TestGroups items={data.data.items} owner={owner} leadsTo={leadsTo} apart={apart} />
          )}
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={data.data.total}
            onPage={(next) => onSearch(changed(search, { page: next }), { replace: false })}
          />
        </div>
      ) : (
        <RowsSkeleton />
      )}
    </>
  );
}
