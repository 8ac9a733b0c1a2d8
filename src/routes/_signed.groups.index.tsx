import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { groupSearch } from '#app/features/classes/group-search.ts';
import { GroupsPage, type GroupsPageProps } from '#app/features/classes/GroupsPage.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/groups/')({
  validateSearch: groupSearch,
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: GroupsScreen,
});

function GroupsScreen() {
  // The router would restore invalid parameters that the schema drops.
  const search = groupSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const isAdmin = useSession()?.user.isAdmin ?? false;
  const onSearch = useCallback<GroupsPageProps['onSearch']>(
    (next, { replace }) => void navigate({ search: next, replace, resetScroll: !replace }),
    [navigate],
  );
  return (
    <ShellPage title={isAdmin ? 'Классы школы' : 'Классы'}>
      <GroupsPage search={search} onSearch={onSearch} withOwners={isAdmin} />
    </ShellPage>
  );
}
