import { createFileRoute } from '@tanstack/react-router';
import { ROLE } from '#contract/auth.ts';
import { formatCount, TESTS } from '#domain/format.ts';
import { JoinLink } from '#app/features/classes/JoinLink.tsx';
import { listSearch } from '#app/features/library/list-search.ts';
import { MyTests } from '#app/features/library/MyTests.tsx';
import { myTestsQuery } from '#app/features/library/queries.ts';
import { useAssignedTests } from '#app/features/library/use-assigned-tests.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { TitleCount } from '#app/ui/layout/TitleCount.tsx';
import { MyTestsFrame } from './-shell/MyTestsFrame.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/tests/my/')({
  validateSearch: listSearch,
  // The router would restore invalid parameters that the schema drops.
  loaderDeps: ({ search }) => listSearch({ ...search }),
  loader: ({ context: { app } }) => {
    void app.queryClient.prefetchQuery(myTestsQuery);
  },
  component: MyTestsScreen,
});

function MyTestsScreen() {
  const state = useSearchState(listSearch, Route.useSearch(), Route.useNavigate());
  const user = useSession()?.user;
  const query = useAssignedTests(user?.userId ?? '', state.search);
  const total = query.data?.data.total ?? 0;
  // Shown after the rows have loaded, which would shift it.
  const isSettled = query.data !== undefined || query.problem !== null;
  return (
    <MyTestsFrame titleAside={total > 0 && <TitleCount>{formatCount(total, TESTS)}</TitleCount>}>
      {user && <MyTests owner={user.userId} {...state} query={query} />}
      {user?.role === ROLE.student && isSettled && <JoinLink />}
    </MyTestsFrame>
  );
}
