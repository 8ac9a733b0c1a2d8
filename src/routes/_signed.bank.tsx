import { createFileRoute } from '@tanstack/react-router';
import { bankSearch, type BankSearch } from '#app/features/bank/bank-search.ts';
import { BankPage } from '#app/features/bank/BankPage.tsx';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useOnSearch } from './-shell/use-on-search.ts';
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
  const onSearch = useOnSearch<BankSearch>(Route.useNavigate());
  return (
    <ShellPage title="Банк вопросов" back={{ to: '/tests/my/created', label: 'Созданные мной' }}>
      {viewerId !== undefined && (
        <BankPage key={viewerId} viewerId={viewerId} search={search} onSearch={onSearch} />
      )}
    </ShellPage>
  );
}
