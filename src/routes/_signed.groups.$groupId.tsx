import { createFileRoute } from '@tanstack/react-router';
import { GroupPage } from '#app/groups/GroupPage.tsx';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/groups/$groupId')({
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: Screen,
});

function Screen() {
  const { groupId } = Route.useParams();
  return (
    <ShellPage title="Класс" back={{ to: '/groups', label: 'К классам' }}>
      <GroupPage key={groupId} groupId={groupId} />
    </ShellPage>
  );
}
