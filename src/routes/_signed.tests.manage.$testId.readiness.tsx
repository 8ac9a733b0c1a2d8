import { createFileRoute } from '@tanstack/react-router';
import { ReadinessPage } from '#app/features/board/readiness/ReadinessPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/readiness')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  return (
    <ManageFrame testId={testId} title="Готовность устройств">
      <ReadinessPage testId={testId} />
    </ManageFrame>
  );
}
