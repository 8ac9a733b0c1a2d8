import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { OnUsersSearch } from '#app/features/admin/users-search.ts';
import { UsersScreen } from './-shell/UsersScreen.tsx';

export const Route = createFileRoute('/_signed/admin/')({ component: Screen });

function Screen() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback<OnUsersSearch>(
    (next, { replace }) => void navigate({ search: next, replace, resetScroll: !replace }),
    [navigate],
  );
  return <UsersScreen given={Route.useSearch()} onSearch={onSearch} />;
}
