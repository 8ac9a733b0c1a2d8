import { Button, VisuallyHidden } from '@mantine/core';
import { useEffect } from 'react';
import type { AuditEntry } from '#contract/admin.ts';
import { formatCount, type Forms } from '#domain/format.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { DataTable, type DataColumn } from '#app/ui/DataTable.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { FilterBar } from '#app/ui/FilterBar.tsx';
import { lastPage } from '#app/ui/pages.ts';
import { Pager } from '#app/ui/Pager.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import classes from './Admin.module.css';
import {
  auditFilters,
  changedAudit,
  type AuditSearch,
  type OnAuditSearch,
} from './audit-search.ts';
import { actLabel, actorWords, detailWords, subjectWords } from './audit-words.ts';
import { auditQuery, PAGE_SIZE } from './queries.ts';

const ENTRIES: Forms = ['запись', 'записи', 'записей'];

export interface AuditPageProps {
  /** What the URL says. */
  search: AuditSearch;
  onSearch: OnAuditSearch;
}

function useColumns() {
  const { serverNow, timeZone } = useDevice();
  const columns: readonly [DataColumn<AuditEntry>, ...DataColumn<AuditEntry>[]] = [
    {
      key: 'act',
      head: 'Что сделано',
      renderCell: (entry) => (
        <div className={classes.act}>
          <span className={classes.name}>{actLabel(entry.act)}</span>
          <span className={classes.quiet}>{detailWords(entry)}</span>
        </div>
      ),
    },
    {
      key: 'subject',
      head: 'С кем или с чем',
      renderCell: (entry) => <span className={classes.who}>{subjectWords(entry)}</span>,
    },
    {
      key: 'actor',
      head: 'Кто',
      renderCell: (entry) => <span className={classes.who}>{actorWords(entry)}</span>,
    },
    {
      key: 'at',
      head: 'Когда',
      isFigure: true,
      renderCell: ({ at }) => formatMoment(new Date(at), serverNow(), timeZone),
    },
  ];
  return columns;
}

/** «Журнал»: administrative acts, the newest first. */
export function AuditPage({ search, onSearch }: AuditPageProps) {
  const { data, problem, retry, isPrevious } = usePageQuery(auditQuery(search));
  const columns = useColumns();
  const { page = 1, searchQuery, act } = search;
  const total = data && !isPrevious ? data.total : null;
  const last = total === null ? null : lastPage({ total, pageSize: PAGE_SIZE });
  const isNarrowed = searchQuery !== undefined || act !== undefined;

  // The log has become shorter than the page in the URL.
  useEffect(() => {
    if (last !== null && page > last)
      onSearch(changedAudit(search, { page: last }), { replace: true });
  }, [last, page, search, onSearch]);

  return (
    <>
      <div className={classes.controls}>
        <FilterBar
          search={{
            label: 'Поиск по имени',
            placeholder: 'Кто сделал или с кем сделано',
            shortPlaceholder: 'Имя',
            value: searchQuery ?? '',
            onSearch: (typed) =>
              onSearch(changedAudit(search, { searchQuery: typed }), { replace: true }),
          }}
          filters={auditFilters(search, onSearch)}
          found={total === null ? null : formatCount(total, ENTRIES)}
          onReset={() => onSearch({}, { replace: true })}
        />
      </div>
      <VisuallyHidden component="output">
        {total !== null && `Найдено: ${formatCount(total, ENTRIES)}`}
      </VisuallyHidden>
      {problem !== null ? (
        <QueryProblem error={problem} onRetry={retry} />
      ) : data === undefined ? (
        <RowsSkeleton />
      ) : data.total === 0 ? (
        <EmptyState
          heading={isNarrowed ? 'Ничего не нашлось' : 'Журнал пока пуст'}
          action={
            isNarrowed && (
              <Button variant="default" onClick={() => onSearch({}, { replace: false })}>
                Сбросить фильтры
              </Button>
            )
          }
        >
          {isNarrowed
            ? 'Измените имя или выберите другое действие.'
            : 'Здесь появится всё, что администраторы делают с учётными записями и проектами.'}
        </EmptyState>
      ) : (
        <>
          <div className={classes.card} aria-busy={isPrevious}>
            <DataTable
              caption="Действия администраторов"
              rows={data.items}
              rowKey={({ id }) => id}
              columns={columns}
            />
          </div>
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={data.total}
            onPage={(next) => onSearch(changedAudit(search, { page: next }), { replace: false })}
          />
        </>
      )}
    </>
  );
}
