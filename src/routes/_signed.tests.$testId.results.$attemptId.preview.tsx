import { createFileRoute } from '@tanstack/react-router';
import { AttemptPreview } from '#app/features/results/AttemptPreview.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/tests/$testId/results/$attemptId/preview')({
  component: Screen,
});

function Screen() {
  const { testId, attemptId } = Route.useParams();
  const viewerId = useSession()?.user.userId ?? '';
  return (
    <ShellPage
      title="Ответы"
      back={{ to: `/tests/${testId}/results/${attemptId}`, label: 'К результату' }}
    >
      <AttemptPreview testId={testId} attemptId={attemptId} viewerId={viewerId} />
    </ShellPage>
  );
}
