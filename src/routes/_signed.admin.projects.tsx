import { createFileRoute } from '@tanstack/react-router';
import { AdminProjectsPage } from '#app/features/projects/AdminProjectsPage.tsx';
import {
  adminProjectSearch,
  type AdminProjectSearch,
} from '#app/features/projects/project-search.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useOnSearch } from './-shell/use-on-search.ts';

export const Route = createFileRoute('/_signed/admin/projects')({
  validateSearch: adminProjectSearch,
  component: Screen,
});

function Screen() {
  // The router would restore invalid parameters that the schema drops.
  const search = adminProjectSearch({ ...Route.useSearch() });
  const userName = useSession()?.user.userName ?? '';
  const onSearch = useOnSearch<AdminProjectSearch>(Route.useNavigate());
  return (
    <ShellPage title="Витрина проектов">
      <AdminProjectsPage search={search} onSearch={onSearch} userName={userName} />
    </ShellPage>
  );
}
