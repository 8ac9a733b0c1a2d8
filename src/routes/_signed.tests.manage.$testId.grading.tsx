import { createFileRoute } from '@tanstack/react-router';
import { GradingPage } from '#app/grading/GradingPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/grading')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  return (
    <ManageFrame testId={testId} title="Проверка">
      <GradingPage key={testId} testId={testId} />
    </ManageFrame>
  );
}
