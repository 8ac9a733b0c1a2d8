import { createFileRoute } from '@tanstack/react-router';
import { ProfilePage } from '#app/profile/ProfilePage.tsx';
import { useSession, useSessionStore } from '#app/session/session-context.ts';
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
          // Nothing of the account is left to sign out of.
          onErased={() => store.end('logout')}
        />
      )}
    </ShellPage>
  );
}
