import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ProjectsPage } from '#app/projects/ProjectsPage.tsx';
import { projectSearch, type ProjectListProps } from '#app/projects/project-search.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/projects/')({
  validateSearch: projectSearch,
  component: Screen,
});

function Screen() {
  // What the schema leaves out of a wrong URL the router would put back.
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
