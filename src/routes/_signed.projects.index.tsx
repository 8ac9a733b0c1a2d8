import { createFileRoute } from '@tanstack/react-router';
import { ProjectsPage } from '#app/features/projects/ProjectsPage.tsx';
import { projectSearch } from '#app/features/projects/project-search.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/projects/')({
  validateSearch: projectSearch,
  component: Screen,
});

function Screen() {
  const state = useSearchState(projectSearch, Route.useSearch(), Route.useNavigate());
  return <ProjectsPage {...state} renderPage={(page) => <ShellPage {...page} />} />;
}
