import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { AttemptsList } from '#app/features/results/AttemptsList.tsx';
import { attemptsQuery } from '#app/features/results/queries.ts';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/tests/$testId/results/')({ component: Screen });

function Screen() {
  const { testId } = Route.useParams();
  const { data } = useQuery(attemptsQuery(testId));
  usePageTitle(data ? `Результаты: ${data.data.title}` : 'Результаты');
  return (
    <ShellPage
      title="Результаты"
      back={{ to: `/tests/${testId}/overview`, label: 'К описанию теста' }}
    >
      <AttemptsList testId={testId} />
    </ShellPage>
  );
}
