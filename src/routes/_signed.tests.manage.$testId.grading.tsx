import { createFileRoute } from '@tanstack/react-router';
import { gradingSearch } from '#app/features/grading/grading-search.ts';
import { GradingPage } from '#app/features/grading/GradingPage.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { ManageFrame } from './-shell/ManageFrame.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/tests/manage/$testId/grading')({
  validateSearch: gradingSearch,
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  const state = useSearchState(gradingSearch, Route.useSearch(), Route.useNavigate(), {
    keepsScroll: true,
  });
  const viewerId = useSession()?.user.userId;
  return (
    <ManageFrame testId={testId} title="Проверка">
      {viewerId !== undefined && (
        <GradingPage key={viewerId} testId={testId} viewerId={viewerId} {...state} />
      )}
    </ManageFrame>
  );
}
