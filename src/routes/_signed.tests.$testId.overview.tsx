import { createFileRoute } from '@tanstack/react-router';
import { testDetailsQuery } from '#app/features/library/queries.ts';
import { OverviewScreen } from './-shell/OverviewScreen.tsx';

export const Route = createFileRoute('/_signed/tests/$testId/overview')({
  loader: ({ context: { app }, params }) => {
    void app.queryClient.prefetchQuery(testDetailsQuery(params.testId));
  },
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  return <OverviewScreen testId={testId} />;
}
