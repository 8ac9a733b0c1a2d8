import { createFileRoute } from '@tanstack/react-router';
import { AttemptsList } from '#app/features/results/AttemptsList.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/tests/$testId/results/')({ component: Screen });

function Screen() {
  const { testId } = Route.useParams();
  return (
    <ShellPage
      title="Результаты"
      back={{ to: `/tests/${testId}/overview`, label: 'К описанию теста' }}
    >
      <AttemptsList testId={testId} />
    </ShellPage>
  );
}
