import { useMemo } from 'react';
import { usersSearch, type OnUsersSearch } from '#app/admin/users-search.ts';
import { UsersPage } from '#app/admin/UsersPage.tsx';
import { useSession, useSessionStore } from '#app/session/session-context.ts';
import { ShellPage } from './ShellPage.tsx';

export interface UsersScreenProps {
  /** The query of the address, as the router reads it. */
  given: object;
  onSearch: OnUsersSearch;
}

/** «Пользователи», at either of its two addresses; what is searched for stands in the one that is open. */
export function UsersScreen({ given, onSearch }: UsersScreenProps) {
  const search = useMemo(() => usersSearch({ ...given }), [given]);
  const store = useSessionStore();
  const user = useSession()?.user;
  return (
    <ShellPage title={search.view === 'import' ? 'Импорт из CSV' : 'Пользователи'}>
      {user && (
        <UsersPage
          search={search}
          onSearch={onSearch}
          ownId={user.userId}
          onOwnChanged={({ userName, email }) => store.update({ ...user, userName, email })}
        />
      )}
    </ShellPage>
  );
}
