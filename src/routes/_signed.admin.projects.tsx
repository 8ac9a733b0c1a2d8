import { createFileRoute } from '@tanstack/react-router';
import { AdminProjectsPage } from '#app/features/projects/AdminProjectsPage.tsx';
import { adminProjectSearch } from '#app/features/projects/project-search.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/admin/projects')({
  validateSearch: adminProjectSearch,
  component: Screen,
});

function Screen() {
  const userName = useSession()?.user.userName ?? '';
  const state = useSearchState(adminProjectSearch, Route.useSearch(), Route.useNavigate());
  return (
    <ShellPage title="Витрина проектов">
      <AdminProjectsPage {...state} userName={userName} />
    </ShellPage>
  );
}
