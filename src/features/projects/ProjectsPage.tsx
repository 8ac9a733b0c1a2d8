import { Link } from '@tanstack/react-router';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import type { ProjectListProps } from './project-search.ts';
import { ProjectControls } from './ProjectControls.tsx';
import { ProjectList, useProjects } from './ProjectList.tsx';
import { projectsQuery } from './queries.ts';
import type { RenderPage } from './render-page.ts';

/** The showcase, «Все проекты». */
export function ProjectsPage({
  search,
  onSearch,
  renderPage,
}: ProjectListProps & { renderPage: RenderPage }) {
  const list = useProjects({ search, onSearch }, usePageQuery(projectsQuery(search)));
  const controls = { list, sort: search.sort };
  return renderPage({
    title: 'Все проекты',
    titleAside: <ProjectControls {...controls} place="title" />,
    children: (
      <>
        <ProjectControls {...controls} place="bar" />
        <ProjectList
          list={list}
          empty={
            <EmptyState
              heading="Пока нет проектов"
              action={<Link to="/projects/my">К моим проектам</Link>}
            >
              Они появятся здесь, когда кто-нибудь добавит первый.
            </EmptyState>
          }
        />
      </>
    ),
  });
}
