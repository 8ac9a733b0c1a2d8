import { usersSearch, type UsersSearch } from '#app/features/admin/users-search.ts';
import { UsersPage } from '#app/features/admin/UsersPage.tsx';
import type { OnSearch } from '#app/lib/list-page.ts';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';
import { ShellPage } from './ShellPage.tsx';

export interface UsersScreenProps {
  /** Search parameters as parsed by the router. */
  given: object;
  onSearch: OnSearch<UsersSearch>;
}

/** «Пользователи», at either of its two paths; the search is in the URL of the current one. */
export function UsersScreen({ given, onSearch }: UsersScreenProps) {
  const search = usersSearch({ ...given });
  const store = useSessionStore();
  const user = useSession()?.user;
  return (
    <ShellPage title={search.view === 'import' ? 'Импорт из таблицы' : 'Пользователи'}>
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
