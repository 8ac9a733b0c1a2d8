import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ProjectsPage } from '#app/features/projects/ProjectsPage.tsx';
import { projectSearch, type ProjectListProps } from '#app/features/projects/project-search.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/projects/')({
  validateSearch: projectSearch,
  component: Screen,
});

function Screen() {
  // The router would restore invalid parameters that the schema drops.
  const search = projectSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const onSearch = useCallback<ProjectListProps['onSearch']>(
    (next, { replace }) => void navigate({ search: next, replace, resetScroll: !replace }),
    [navigate],
  );
  return (
    <ProjectsPage
      search={search}
      onSearch={onSearch}
      renderPage={(page) => <ShellPage {...page} />}
    />
  );
}
