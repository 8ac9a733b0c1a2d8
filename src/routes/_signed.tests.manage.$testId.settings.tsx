import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { SettingsPage } from '#app/authoring/SettingsPage.tsx';
import { useSession } from '#app/session/session-context.ts';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/settings')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  const current = useSession()?.user.userId;
  // A sign-in that ends leaves the page as it is until the way to the sign-in screen is gone.
  const [viewerId, setViewerId] = useState(current);
  if (current !== undefined && current !== viewerId) setViewerId(current);
  return (
    <ManageFrame testId={testId} title="Настройки">
      {viewerId !== undefined && (
        <SettingsPage key={`${viewerId} ${testId}`} testId={testId} viewerId={viewerId} />
      )}
    </ManageFrame>
  );
}
