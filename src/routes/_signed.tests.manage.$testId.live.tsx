import { createFileRoute } from '@tanstack/react-router';
import { BoardPage } from '#app/board/BoardPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/live')({ component: Screen });

function Screen() {
  const { testId } = Route.useParams();
  return (
    <ManageFrame testId={testId} title="Ход теста">
      <BoardPage key={testId} testId={testId} />
    </ManageFrame>
  );
}
