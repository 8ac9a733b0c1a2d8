import { createFileRoute } from '@tanstack/react-router';
import { ProfilePage } from '#app/profile/ProfilePage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/profile')({ component: Screen });

function Screen() {
  return (
    <ShellPage title="Профиль">
      <ProfilePage />
    </ShellPage>
  );
}
