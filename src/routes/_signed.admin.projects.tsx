import { createFileRoute } from '@tanstack/react-router';
import { AdminProjectsPage } from '#app/projects/AdminProjectsPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/admin/projects')({ component: Screen });

function Screen() {
  return (
    <ShellPage title="Витрина проектов">
      <AdminProjectsPage />
    </ShellPage>
  );
}
