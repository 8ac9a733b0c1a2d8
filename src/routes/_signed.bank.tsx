import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { OnBankSearch } from '#app/features/bank/bank-filters.ts';
import { bankSearch } from '#app/features/bank/bank-search.ts';
import { BankPage } from '#app/features/bank/BankPage.tsx';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useViewerId } from './-shell/use-viewer-id.ts';

export const Route = createFileRoute('/_signed/bank')({
  validateSearch: bankSearch,
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: BankScreen,
});

function BankScreen() {
  // The router would restore invalid parameters that the schema drops.
  const search = bankSearch({ ...Route.useSearch() });
  const viewerId = useViewerId();
  const navigate = Route.useNavigate();
  const onSearch = useCallback<OnBankSearch>(
    (next, { replace }) => void navigate({ search: next, replace, resetScroll: !replace }),
    [navigate],
  );
  return (
    <ShellPage title="Банк вопросов" back={{ to: '/tests/my/created', label: 'Созданные мной' }}>
      {viewerId !== undefined && (
        <BankPage key={viewerId} viewerId={viewerId} search={search} onSearch={onSearch} />
      )}
    </ShellPage>
  );
}
