import type { UsersSearch } from '#app/features/admin/users-search.ts';
import { UsersPage } from '#app/features/admin/UsersPage.tsx';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';
import { ShellPage } from './ShellPage.tsx';
import type { SearchState } from './use-search-state.ts';

/** «Пользователи», at either of its two paths; the search is in the URL of the current one. */
export function UsersScreen(state: SearchState<UsersSearch>) {
  const store = useSessionStore();
  const user = useSession()?.user;
  return (
    <ShellPage title={state.search.view === 'import' ? 'Импорт из таблицы' : 'Пользователи'}>
      {user && (
        <UsersPage
          {...state}
          ownId={user.userId}
          onOwnChanged={({ userName, email }) => store.update({ ...user, userName, email })}
        />
      )}
    </ShellPage>
  );
}
