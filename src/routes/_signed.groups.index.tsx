import { createFileRoute } from '@tanstack/react-router';
import { groupSearch } from '#app/features/classes/group-search.ts';
import { GroupsPage } from '#app/features/classes/GroupsPage.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/groups/')({
  validateSearch: groupSearch,
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: GroupsScreen,
});

function GroupsScreen() {
  const isAdmin = useSession()?.user.isAdmin ?? false;
  const state = useSearchState(groupSearch, Route.useSearch(), Route.useNavigate());
  return (
    <ShellPage title={isAdmin ? 'Классы школы' : 'Классы'}>
      <GroupsPage {...state} withOwners={isAdmin} />
    </ShellPage>
  );
}
