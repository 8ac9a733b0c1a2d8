import { createFileRoute } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { auditSearch, type OnAuditSearch } from '#app/features/admin/audit-search.ts';
import { AuditPage } from '#app/features/admin/AuditPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/admin/audit')({ component: Screen });

function Screen() {
  const given = Route.useSearch();
  const search = useMemo(() => auditSearch({ ...given }), [given]);
  const navigate = Route.useNavigate();
  const onSearch = useCallback<OnAuditSearch>(
    (next, { replace }) => void navigate({ search: next, replace, resetScroll: !replace }),
    [navigate],
  );
  return (
    <ShellPage title="Журнал">
      <AuditPage search={search} onSearch={onSearch} />
    </ShellPage>
  );
}
