import { createFileRoute } from '@tanstack/react-router';
import { SettingsPage } from '#app/features/settings/SettingsPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';
import { useViewerId } from './-shell/use-viewer-id.ts';

export const Route = createFileRoute('/_signed/tests/manage/$testId/settings')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  const viewerId = useViewerId();
  return (
    <ManageFrame testId={testId} title="Настройки">
      {viewerId !== undefined && (
        <SettingsPage key={viewerId} testId={testId} viewerId={viewerId} />
      )}
    </ManageFrame>
  );
}
