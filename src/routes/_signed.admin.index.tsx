import { createFileRoute } from '@tanstack/react-router';
import { UsersPage } from '#app/admin/UsersPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/admin/')({ component: Screen });

function Screen() {
  return (
    <ShellPage title="Пользователи">
      <UsersPage />
    </ShellPage>
  );
}
