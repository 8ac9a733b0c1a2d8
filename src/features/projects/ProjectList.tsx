import { Button, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ProjectListItem } from '#contract/projects.ts';
import { formatCount } from '#domain/format.ts';
import { PROJECTS } from '#domain/labels-projects.ts';
import { useLastPage } from '#app/lib/list-page.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import type { PageData } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Pager } from '#app/ui/data/Pager.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { CardsSkeleton } from './CardsSkeleton.tsx';
import { useLayout } from './layout.ts';
import { ProjectCards } from './ProjectCards.tsx';
import { changed, type ProjectListProps } from './project-search.ts';
import { PAGE_SIZE } from './queries.ts';

export interface ListedProjectsProps extends ProjectListProps {
  query: PageData<{ items: ProjectListItem[]; total: number; savedAt: string | null }>;
  /** Shown when the list is empty without filters. */
  empty: ReactNode;
}

/** A page of projects, or why there is none. */
export function ProjectList({ search, onSearch, query, empty }: ListedProjectsProps) {
  const { data, problem, retry, isPrevious } = query;
  const [chosen] = useLayout();
  // Below 640 px only the grid is used.
  const layout = useMedia('(min-width: 640px)') ? chosen : 'grid';
  const { page = 1, searchQuery } = search;
  const isCurrent = data !== undefined && !isPrevious;
  useLastPage({ page, pageSize: PAGE_SIZE, total: isCurrent ? data.total : null }, (last) =>
    onSearch(changed(search, { page: last }), { replace: true }),
  );

  if (problem !== null) return <QueryProblem what="list" error={problem} onRetry={retry} />;
  if (!data) return <CardsSkeleton layout={layout} />;
  if (data.total === 0 && searchQuery === undefined) {
    return (
      <>
        <SavedAt savedAt={data.savedAt} />
        {empty}
      </>
    );
  }
  return (
    <div aria-busy={isPrevious}>
      <SavedAt savedAt={data.savedAt} />
      <VisuallyHidden component="output">
        {isCurrent && `Найдено: ${formatCount(data.total, PROJECTS)}`}
      </VisuallyHidden>
      {data.total === 0 ? (
        <EmptyState
          heading="Ничего не найдено"
          action={
            <Button
              variant="default"
              onClick={() => onSearch(changed(search, { searchQuery: '' }), { replace: false })}
            >
              Сбросить поиск
            </Button>
          }
        >
          Измените запрос или сбросьте его: тогда будут видны все проекты.
        </EmptyState>
      ) : (
        <ProjectCards items={data.items} layout={layout} />
      )}
      <Pager
        page={page}
        pageSize={PAGE_SIZE}
        total={data.total}
        onPage={(next) => onSearch(changed(search, { page: next }), { replace: false })}
      />
    </div>
  );
}
