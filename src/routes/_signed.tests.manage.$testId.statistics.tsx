import { createFileRoute } from '@tanstack/react-router';
import { StatisticsPage } from '#app/statistics/StatisticsPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/statistics')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  return (
    <ManageFrame testId={testId} title="Статистика">
      <StatisticsPage key={testId} testId={testId} />
    </ManageFrame>
  );
}
