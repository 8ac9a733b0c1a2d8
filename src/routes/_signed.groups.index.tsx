import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { groupSearch } from '#app/groups/group-search.ts';
import { GroupsPage, type GroupsPageProps } from '#app/groups/GroupsPage.tsx';
import { useSession } from '#app/session/session-context.ts';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/groups/')({
  validateSearch: groupSearch,
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: GroupsScreen,
});

function GroupsScreen() {
  // What the schema leaves out of a wrong URL the router would put back.
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
