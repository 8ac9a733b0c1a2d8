import { Box, Button, VisuallyHidden, type BoxProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount, type Forms } from '#domain/format.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import { Pager } from '#app/ui/data/Pager.tsx';
import { formatRange } from '#app/ui/data/pages.ts';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import type { List, ListData } from './use-list.ts';

/** Search and filters of a list, or their room while it is unknown whether the list has entries. */
export function ListControls<Data extends ListData>({
  list: { controls, controlsRef },
  children,
}: {
  list: List<Data>;
  children: ReactNode;
}) {
  if (controls === 'none') return null;
  return (
    <div
      ref={controlsRef}
      style={{
        display: 'contents',
        visibility: controls === 'reserved' ? 'hidden' : undefined,
      }}
    >
      {children}
    </div>
  );
}

/** Drops search and filters, and focuses the search: the pressed button is unmounted. */
export function resetAndFocus<Data extends ListData>({ controlsRef, reset }: List<Data>): void {
  controlsRef.current?.querySelector('input')?.focus();
  reset({ replace: false });
}

interface Nothing {
  heading?: string;
  /** Label of the button that resets. */
  reset?: string;
  message: ReactNode;
  mt?: BoxProps['mt'];
}

/** Advice when nothing matches search and filters. */
export function NothingFound<Data extends ListData>({
  list,
  heading = 'Ничего не найдено',
  reset = 'Сбросить фильтры',
  message,
  mt,
}: Nothing & { list: List<Data> }) {
  return (
    <Box mt={mt ?? 0}>
      <EmptyState
        heading={heading}
        action={
          <Button variant="default" onClick={() => resetAndFocus(list)}>
            {reset}
          </Button>
        }
      >
        {message}
      </EmptyState>
    </Box>
  );
}

export function ListPager<Data extends ListData>({
  list: { page, pageSize, query, change },
}: {
  list: List<Data>;
}) {
  return (
    <Pager
      page={page}
      pageSize={pageSize}
      total={query.data?.total ?? 0}
      onPage={(next) => change({ page: next }, { replace: false })}
    />
  );
}

export interface ListRowsProps<Data extends ListData> {
  list: List<Data>;
  /** Shown when the list has no entries at all; absent if there is always one. */
  none?: ReactNode;
  /** Absent if the list has neither search nor filters. */
  nothing?: Nothing;
  /** Shown instead of the reason why the query failed, unless absent or false. */
  problem?: ReactNode;
  skeleton?: ReactNode;
  /** The rows. */
  children: (data: Data) => ReactNode;
}

/** The rows of a list with its pages, or why there are none. */
export function ListRows<Data extends ListData>({
  list,
  none,
  nothing,
  problem,
  skeleton,
  children,
}: ListRowsProps<Data>) {
  const { query, total, isNarrowed } = list;
  const { data, isPrevious } = query;
  if (query.problem !== null) {
    return problem || <QueryProblem what="list" error={query.problem} onRetry={query.retry} />;
  }
  const waiting = skeleton ?? <RowsSkeleton />;
  if (data === undefined) return waiting;
  const savedAt = data.savedAt ? <SavedAt savedAt={data.savedAt} /> : null;
  if (total === 0 && !isNarrowed) {
    return (
      <>
        {savedAt}
        {none}
      </>
    );
  }
  // Before the step back from a page beyond the last.
  const isBeyond = total !== null && total > 0 && data.items.length === 0;
  return (
    <div aria-busy={isPrevious}>
      {savedAt}
      {isBeyond && waiting}
      {data.total > 0 && !isBeyond && children(data)}
      {data.total === 0 && nothing && <NothingFound list={list} {...nothing} />}
      <ListPager list={list} />
    </div>
  );
}

export interface ListPageProps<Data extends ListData> extends ListRowsProps<Data> {
  /** «тест», «теста», «тестов» */
  counted: Forms;
  /** Announces the number of entries; «Найдено: 12 тестов» by default. */
  describeFound?: (total: number) => string;
  /** Search and filters, with the elements beside them; absent if `ListControls` are in another place. */
  controls?: ReactNode;
  /** Between the controls and the rows: results of actions. */
  notes?: ReactNode;
}

/** A list with search, filters and pages. An empty list has no search; until that is known, its room is reserved. */
export function ListPage<Data extends ListData>({
  counted,
  describeFound,
  controls,
  notes,
  ...rows
}: ListPageProps<Data>) {
  const { total, page, pageSize } = rows.list;
  const found =
    total !== null && (describeFound?.(total) ?? `Найдено: ${formatCount(total, counted)}`);
  const range =
    total !== null && total > pageSize && (page - 1) * pageSize < total
      ? `, показаны ${formatRange({ page, pageSize, total })}`
      : '';
  return (
    <>
      {controls !== undefined && <ListControls list={rows.list}>{controls}</ListControls>}
      <VisuallyHidden component="output">{found !== false && `${found}${range}`}</VisuallyHidden>
      {notes}
      <ListRows {...rows} />
    </>
  );
}
