import { createFileRoute } from '@tanstack/react-router';
import { AuditPage } from '#app/admin/AuditPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/admin/audit')({ component: Screen });

function Screen() {
  return (
    <ShellPage title="Журнал">
      <AuditPage />
    </ShellPage>
  );
}
