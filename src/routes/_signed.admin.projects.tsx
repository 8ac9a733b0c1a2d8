import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import {
  AdminProjectsPage,
  type AdminProjectsProps,
} from '#app/features/projects/AdminProjectsPage.tsx';
import { adminProjectSearch } from '#app/features/projects/project-search.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/admin/projects')({
  validateSearch: adminProjectSearch,
  component: Screen,
});

function Screen() {
  // The router would restore invalid parameters that the schema drops.
  const search = adminProjectSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const userName = useSession()?.user.userName ?? '';
  const onSearch = useCallback<AdminProjectsProps['onSearch']>(
    (next, { replace }) => void navigate({ search: next, replace, resetScroll: !replace }),
    [navigate],
  );
  return (
    <ShellPage title="Витрина проектов">
      <AdminProjectsPage search={search} onSearch={onSearch} userName={userName} />
    </ShellPage>
  );
}
