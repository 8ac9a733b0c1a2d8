import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { formatCount, TESTS } from '#domain/format.ts';
import { listSearch } from '#app/features/library/list-search.ts';
import { PassedTests } from '#app/features/library/PassedTests.tsx';
import { passedTestsQuery } from '#app/features/library/queries.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { TitleCount } from '#app/ui/layout/TitleCount.tsx';
import { MyTestsFrame } from './-shell/MyTestsFrame.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/tests/my/passed')({
  validateSearch: listSearch,
  // The router would restore invalid parameters that the schema drops.
  loaderDeps: ({ search }) => listSearch({ ...search }),
  loader: ({ context: { app }, deps }) => {
    void app.queryClient.prefetchQuery(passedTestsQuery(deps));
  },
  component: PassedTestsScreen,
});

function PassedTestsScreen() {
  const state = useSearchState(listSearch, Route.useSearch(), Route.useNavigate());
  const { data } = useQuery(passedTestsQuery(state.search));
  const total = data?.data.total ?? 0;
  const owner = useSession()?.user.userId;
  return (
    <MyTestsFrame titleAside={total > 0 && <TitleCount>{formatCount(total, TESTS)}</TitleCount>}>
      {owner !== undefined && <PassedTests owner={owner} {...state} />}
    </MyTestsFrame>
  );
}
