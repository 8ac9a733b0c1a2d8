import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { ResultPage } from '#app/features/results/ResultPage.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { resultQuery } from '#app/features/results/queries.ts';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/tests/$testId/results/$attemptId/')({
  component: Screen,
});

function Screen() {
  const { testId, attemptId } = Route.useParams();
  const viewerId = useSession()?.user.userId ?? '';
  const { data } = useQuery(resultQuery(attemptId));
  usePageTitle(data ? `Результат: ${data.data.title}` : 'Результат');
  return (
    <ShellPage
      title="Результат"
      back={{ to: `/tests/${testId}/results`, label: 'Ко всем попыткам' }}
    >
      <ResultPage testId={testId} attemptId={attemptId} viewerId={viewerId} />
    </ShellPage>
  );
}
