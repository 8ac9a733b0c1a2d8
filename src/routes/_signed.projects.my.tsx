import { createFileRoute } from '@tanstack/react-router';
import { MyProjectsPage } from '#app/features/projects/MyProjectsPage.tsx';
import { projectSearch } from '#app/features/projects/project-search.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/projects/my')({
  validateSearch: projectSearch,
  component: Screen,
});

function Screen() {
  const userName = useSession()?.user.userName ?? '';
  const state = useSearchState(projectSearch, Route.useSearch(), Route.useNavigate());
  return (
    <MyProjectsPage {...state} userName={userName} renderPage={(page) => <ShellPage {...page} />} />
  );
}
