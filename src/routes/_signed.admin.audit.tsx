import { createFileRoute } from '@tanstack/react-router';
import { auditSearch, type AuditSearch } from '#app/features/admin/audit-search.ts';
import { AuditPage } from '#app/features/admin/AuditPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useOnSearch } from './-shell/use-on-search.ts';

export const Route = createFileRoute('/_signed/admin/audit')({ component: Screen });

function Screen() {
  const search = auditSearch({ ...Route.useSearch() });
  const onSearch = useOnSearch<AuditSearch>(Route.useNavigate());
  return (
    <ShellPage title="Журнал">
      <AuditPage search={search} onSearch={onSearch} />
    </ShellPage>
  );
}
