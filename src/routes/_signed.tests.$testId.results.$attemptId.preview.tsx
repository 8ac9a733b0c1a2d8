import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { AttemptPreview } from '#app/features/results/AttemptPreview.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { previewQuery } from '#app/features/results/queries.ts';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/tests/$testId/results/$attemptId/preview')({
  component: Screen,
});

function Screen() {
  const { testId, attemptId } = Route.useParams();
  const viewerId = useSession()?.user.userId ?? '';
  const { data } = useQuery(previewQuery(attemptId));
  usePageTitle(data ? `Ответы: ${data.data.title}` : 'Ответы');
  return (
    <ShellPage
      title="Ответы"
      back={{ to: `/tests/${testId}/results/${attemptId}`, label: 'К результату' }}
    >
      <AttemptPreview testId={testId} attemptId={attemptId} viewerId={viewerId} />
    </ShellPage>
  );
}
