import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { GroupPage } from '#app/features/classes/GroupPage.tsx';
import { groupQuery } from '#app/features/classes/queries.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/groups/$groupId')({
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: Screen,
});

function Screen() {
  const { groupId } = Route.useParams();
  const { data } = useQuery(groupQuery(groupId));
  const isAdmin = useSession()?.user.isAdmin ?? false;
  return (
    <ShellPage title={data?.name ?? 'Класс'} back={{ to: '/groups', label: 'К классам' }}>
      <GroupPage groupId={groupId} withOwner={isAdmin} />
    </ShellPage>
  );
}
