import { createFileRoute } from '@tanstack/react-router';
import { statisticsSearch } from '#app/features/statistics/statistics-search.ts';
import { StatisticsPage } from '#app/features/statistics/StatisticsPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/tests/manage/$testId/statistics')({
  validateSearch: statisticsSearch,
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  const state = useSearchState(statisticsSearch, Route.useSearch(), Route.useNavigate(), {
    keepsScroll: true,
  });
  return (
    <ManageFrame testId={testId} title="Статистика">
      <StatisticsPage testId={testId} {...state} />
    </ManageFrame>
  );
}
