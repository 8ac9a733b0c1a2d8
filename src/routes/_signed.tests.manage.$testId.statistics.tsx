import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import {
  statisticsSearch,
  type StatisticsSearch,
} from '#app/features/statistics/statistics-search.ts';
import { StatisticsPage } from '#app/features/statistics/StatisticsPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/statistics')({
  validateSearch: statisticsSearch,
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  // The router would restore invalid parameters that the schema drops.
  const search = statisticsSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (next: StatisticsSearch, replace = false) =>
      void navigate({ search: next, replace, resetScroll: false }),
    [navigate],
  );
  return (
    <ManageFrame testId={testId} title="Статистика">
      <StatisticsPage testId={testId} search={search} onSearch={onSearch} />
    </ManageFrame>
  );
}
