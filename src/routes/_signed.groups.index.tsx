import { createFileRoute } from '@tanstack/react-router';
import { groupSearch, type GroupSearch } from '#app/features/classes/group-search.ts';
import { GroupsPage } from '#app/features/classes/GroupsPage.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useOnSearch } from './-shell/use-on-search.ts';

export const Route = createFileRoute('/_signed/groups/')({
  validateSearch: groupSearch,
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: GroupsScreen,
});

function GroupsScreen() {
  // The router would restore invalid parameters that the schema drops.
  const search = groupSearch({ ...Route.useSearch() });
  const isAdmin = useSession()?.user.isAdmin ?? false;
  const onSearch = useOnSearch<GroupSearch>(Route.useNavigate());
  return (
    <ShellPage title={isAdmin ? 'Классы школы' : 'Классы'}>
      <GroupsPage search={search} onSearch={onSearch} withOwners={isAdmin} />
    </ShellPage>
  );
}
