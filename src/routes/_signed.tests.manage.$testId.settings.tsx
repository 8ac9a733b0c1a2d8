import { createFileRoute } from '@tanstack/react-router';
import { SettingsPage } from '#app/authoring/SettingsPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/settings')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  return (
    <ManageFrame testId={testId} title="Настройки">
      <SettingsPage key={testId} testId={testId} />
    </ManageFrame>
  );
}
