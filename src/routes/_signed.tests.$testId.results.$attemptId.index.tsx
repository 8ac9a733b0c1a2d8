import { createFileRoute } from '@tanstack/react-router';
import { ResultPage } from '#app/features/results/ResultPage.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/tests/$testId/results/$attemptId/')({
  component: Screen,
});

function Screen() {
  const { testId, attemptId } = Route.useParams();
  const viewerId = useSession()?.user.userId ?? '';
  return (
    <ShellPage
      title="Результат"
      back={{ to: `/tests/${testId}/results`, label: 'Ко всем попыткам' }}
    >
      <ResultPage testId={testId} attemptId={attemptId} viewerId={viewerId} />
    </ShellPage>
  );
}
