import { createFileRoute } from '@tanstack/react-router';
import { TestContent } from '#app/authoring/TestContent.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/edit/generate')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  return (
    <ManageFrame testId={testId} title="Содержание теста">
      <TestContent key={testId} testId={testId} mode="generate" />
    </ManageFrame>
  );
}
