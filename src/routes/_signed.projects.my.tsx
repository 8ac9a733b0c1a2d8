import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { MyProjectsPage } from '#app/features/projects/MyProjectsPage.tsx';
import { projectSearch, type ProjectListProps } from '#app/features/projects/project-search.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/projects/my')({
  validateSearch: projectSearch,
  component: Screen,
});

function Screen() {
  // The router would restore invalid parameters that the schema drops.
  const search = projectSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const userName = useSession()?.user.userName ?? '';
  const onSearch = useCallback<ProjectListProps['onSearch']>(
    (next, { replace }) => void navigate({ search: next, replace, resetScroll: !replace }),
    [navigate],
  );
  return (
    <MyProjectsPage
      search={search}
      onSearch={onSearch}
      userName={userName}
      renderPage={(page) => <ShellPage {...page} />}
    />
  );
}
