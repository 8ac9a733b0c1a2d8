import { createFileRoute } from '@tanstack/react-router';
import { GroupsPage } from '#app/groups/GroupsPage.tsx';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/groups/')({
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: GroupsScreen,
});

function GroupsScreen() {
  return (
    <ShellPage title="Классы">
      <GroupsPage />
    </ShellPage>
  );
}
