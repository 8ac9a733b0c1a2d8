import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { usersSearch, type OnUsersSearch } from '#app/admin/users-search.ts';
import { UsersPage } from '#app/admin/UsersPage.tsx';
import { useSession, useSessionStore } from '#app/session/session-context.ts';
import { ShellPage } from './ShellPage.tsx';

/** «Пользователи», at either of its two addresses; what is searched for stands in the one that is open. */
export function UsersScreen() {
  const given = useLocation({ select: ({ search }) => search });
  const search = useMemo(() => usersSearch({ ...given }), [given]);
  const navigate = useNavigate();
  const store = useSessionStore();
  const user = useSession()?.user;
  const onSearch = useCallback<OnUsersSearch>(
    (next, { replace }) => void navigate({ to: '.', search: next, replace, resetScroll: !replace }),
    [navigate],
  );
  return (
    <ShellPage title={search.view === 'import' ? 'Импорт пользователей' : 'Пользователи'}>
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
