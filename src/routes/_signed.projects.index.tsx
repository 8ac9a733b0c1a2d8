import { createFileRoute } from '@tanstack/react-router';
import { ProjectsPage } from '#app/features/projects/ProjectsPage.tsx';
import { projectSearch, type ProjectSearch } from '#app/features/projects/project-search.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useOnSearch } from './-shell/use-on-search.ts';

export const Route = createFileRoute('/_signed/projects/')({
  validateSearch: projectSearch,
  component: Screen,
});

function Screen() {
  // The router would restore invalid parameters that the schema drops.
  const search = projectSearch({ ...Route.useSearch() });
  const onSearch = useOnSearch<ProjectSearch>(Route.useNavigate());
  return (
    <ProjectsPage
      search={search}
      onSearch={onSearch}
      renderPage={(page) => <ShellPage {...page} />}
    />
  );
}
