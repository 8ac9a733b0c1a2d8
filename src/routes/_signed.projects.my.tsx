import { createFileRoute } from '@tanstack/react-router';
import { MyProjectsPage } from '#app/features/projects/MyProjectsPage.tsx';
import { projectSearch, type ProjectSearch } from '#app/features/projects/project-search.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useOnSearch } from './-shell/use-on-search.ts';

export const Route = createFileRoute('/_signed/projects/my')({
  validateSearch: projectSearch,
  component: Screen,
});

function Screen() {
  // The router would restore invalid parameters that the schema drops.
  const search = projectSearch({ ...Route.useSearch() });
  const userName = useSession()?.user.userName ?? '';
  const onSearch = useOnSearch<ProjectSearch>(Route.useNavigate());
  return (
    <MyProjectsPage
      search={search}
      onSearch={onSearch}
      userName={userName}
      renderPage={(page) => <ShellPage {...page} />}
    />
  );
}
