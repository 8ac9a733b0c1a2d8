import { createFileRoute } from '@tanstack/react-router';
import { ProfilePage } from '#app/features/profile/ProfilePage.tsx';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/profile')({ component: Screen });

function Screen() {
  const store = useSessionStore();
  const user = useSession()?.user;
  return (
    <ShellPage title="Профиль">
      {user && (
        <ProfilePage
          user={user}
          onChanged={store.update}
          // The erased account has no session to sign out of.
          onErased={() => store.end('logout')}
        />
      )}
    </ShellPage>
  );
}
