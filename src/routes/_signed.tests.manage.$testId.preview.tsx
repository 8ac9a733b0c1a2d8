import { createFileRoute } from '@tanstack/react-router';
import { PreviewPage } from '#app/authoring/PreviewPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/preview')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  return (
    <ManageFrame testId={testId} title="Предпросмотр">
      <PreviewPage key={testId} testId={testId} />
    </ManageFrame>
  );
}
