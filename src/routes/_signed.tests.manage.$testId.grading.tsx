import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { gradingSearch, type GradingSearch } from '#app/features/grading/grading-search.ts';
import { GradingPage } from '#app/features/grading/GradingPage.tsx';
import type { OnSearch } from '#app/lib/list-page.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/grading')({
  validateSearch: gradingSearch,
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  const search = gradingSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const viewerId = useSession()?.user.userId;
  const onSearch = useCallback<OnSearch<GradingSearch>>(
    (next, { replace }) => void navigate({ search: next, replace, resetScroll: false }),
    [navigate],
  );
  return (
    <ManageFrame testId={testId} title="Проверка">
      {viewerId !== undefined && (
        <GradingPage
          key={viewerId}
          testId={testId}
          viewerId={viewerId}
          search={search}
          onSearch={onSearch}
        />
      )}
    </ManageFrame>
  );
}
