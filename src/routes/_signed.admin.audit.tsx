import { createFileRoute } from '@tanstack/react-router';
import { auditSearch } from '#app/features/admin/audit-search.ts';
import { AuditPage } from '#app/features/admin/AuditPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/admin/audit')({ component: Screen });

function Screen() {
  const state = useSearchState(auditSearch, Route.useSearch(), Route.useNavigate());
  return (
    <ShellPage title="Журнал">
      <AuditPage {...state} />
    </ShellPage>
  );
}
