import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { formatCount, TESTS } from '#domain/format.ts';
import { listSearch } from '#app/features/library/list-search.ts';
import { testBaseQuery } from '#app/features/library/queries.ts';
import { TestBase } from '#app/features/library/TestBase.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { TitleCount } from '#app/ui/layout/TitleCount.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/tests/')({
  validateSearch: listSearch,
  // The router would restore invalid parameters that the schema drops.
  loaderDeps: ({ search }) => listSearch({ ...search }),
  loader: ({ context: { app }, deps }) => {
    void app.queryClient.prefetchQuery(testBaseQuery(deps));
  },
  component: TestBaseScreen,
});

function TestBaseScreen() {
  const state = useSearchState(listSearch, Route.useSearch(), Route.useNavigate());
  const { data } = useQuery(testBaseQuery(state.search));
  const total = data?.data.total ?? 0;
  const owner = useSession()?.user.userId;
  return (
    <ShellPage
      title="База тестов"
      titleAside={total > 0 && <TitleCount>{formatCount(total, TESTS)}</TitleCount>}
    >
      {owner !== undefined && <TestBase owner={owner} {...state} />}
    </ShellPage>
  );
}
