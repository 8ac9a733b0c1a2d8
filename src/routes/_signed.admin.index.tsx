import { createFileRoute } from '@tanstack/react-router';
import type { UsersSearch } from '#app/features/admin/users-search.ts';
import { useOnSearch } from './-shell/use-on-search.ts';
import { UsersScreen } from './-shell/UsersScreen.tsx';

export const Route = createFileRoute('/_signed/admin/')({ component: Screen });

function Screen() {
  const onSearch = useOnSearch<UsersSearch>(Route.useNavigate());
  return <UsersScreen given={Route.useSearch()} onSearch={onSearch} />;
}
