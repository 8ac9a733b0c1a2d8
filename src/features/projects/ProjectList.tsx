import type { ReactNode } from 'react';
import type { ProjectListItem } from '#contract/projects.ts';
import { PROJECTS } from '#domain/labels-projects.ts';
import { ListPage } from '#app/lib/list/ListPage.tsx';
import { useList, type List } from '#app/lib/list/use-list.ts';
import type { PageData } from '#app/lib/use-page-query.ts';
import { useMedia } from '#app/ui/use-media.ts';
import { CardsSkeleton } from './CardsSkeleton.tsx';
import { useLayout } from './layout.ts';
import { ProjectCards } from './ProjectCards.tsx';
import { projectAddress, type ProjectListProps } from './project-search.ts';
import { PAGE_SIZE } from './queries.ts';

interface Projects {
  items: ProjectListItem[];
  total: number;
  savedAt: string | null;
}

/** State of a list of projects, for its controls and its rows. */
export const useProjects = (search: ProjectListProps, query: PageData<Projects>): List<Projects> =>
  useList({ ...search, query, address: projectAddress, pageSize: PAGE_SIZE });

export interface ListedProjectsProps {
  list: List<Projects>;
  notes?: ReactNode;
  /** Shown when the list is empty without filters. */
  empty: ReactNode;
}

/** A page of projects, or why there is none. */
export function ProjectList({ list, notes, empty }: ListedProjectsProps) {
  const [chosen] = useLayout();
  // Below 640 px only the grid is used.
  const layout = useMedia('(min-width: 640px)') ? chosen : 'grid';
  return (
    <ListPage
      list={list}
      counted={PROJECTS}
      notes={notes}
      skeleton={<CardsSkeleton layout={layout} />}
      none={empty}
      nothing={{
        reset: 'Сбросить поиск',
        message: 'Измените запрос или сбросьте его: тогда будут видны все проекты.',
      }}
    >
      {({ items }) => <ProjectCards items={items} layout={layout} />}
    </ListPage>
  );
}
