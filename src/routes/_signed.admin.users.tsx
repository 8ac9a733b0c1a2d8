import { createFileRoute } from '@tanstack/react-router';
import { usersSearch } from '#app/features/admin/users-search.ts';
import { UsersScreen } from './-shell/UsersScreen.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/admin/users')({ component: Screen });

function Screen() {
  return <UsersScreen {...useSearchState(usersSearch, Route.useSearch(), Route.useNavigate())} />;
}
