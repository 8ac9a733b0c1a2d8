import { createFileRoute } from '@tanstack/react-router';
import { bankSearch } from '#app/features/bank/bank-search.ts';
import { BankPage } from '#app/features/bank/BankPage.tsx';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useSearchState } from './-shell/use-search-state.ts';
import { useViewerId } from './-shell/use-viewer-id.ts';

export const Route = createFileRoute('/_signed/bank')({
  validateSearch: bankSearch,
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: BankScreen,
});

function BankScreen() {
  const viewerId = useViewerId();
  const state = useSearchState(bankSearch, Route.useSearch(), Route.useNavigate());
  return (
    <ShellPage title="Банк вопросов" back={{ to: '/tests/my/created', label: 'Созданные мной' }}>
      {viewerId !== undefined && <BankPage key={viewerId} viewerId={viewerId} {...state} />}
    </ShellPage>
  );
}
