import { createFileRoute } from '@tanstack/react-router';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { logProblem } from '#app/lib/log.ts';
import { ProfilePage } from '#app/features/profile/ProfilePage.tsx';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

// Lazy: few people erase their account.
const loadOffers = createModuleLoader(() => import('#app/storage/offer-database.ts'));

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
          onErased={() => {
            loadOffers()
              .then(({ deleteOffers }) => deleteOffers(user.userId))
              .catch((cause: unknown) => logProblem('Подготовленные тесты не стереть', { cause }));
            store.end('logout');
          }}
        />
      )}
    </ShellPage>
  );
}
