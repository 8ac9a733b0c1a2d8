import { createFileRoute } from '@tanstack/react-router';
import { ROLE } from '#contract/auth.ts';
import { createdSearch } from '#app/features/created-tests/created-search.ts';
import { CreatedTests } from '#app/features/created-tests/CreatedTests.tsx';
import { CreateTestOptions } from '#app/features/created-tests/CreateTestOptions.tsx';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { useMedia } from '#app/ui/use-media.ts';
import { MyTestsFrame } from './-shell/MyTestsFrame.tsx';
import { requireTeacher } from './-shell/require-teacher.ts';
import { useSearchState } from './-shell/use-search-state.ts';

// Lazy, so that teachers' calls are not in the common bundle.
const loadQueries = createModuleLoader(() => import('#app/features/created-tests/queries.ts'));

export const Route = createFileRoute('/_signed/tests/my/created')({
  validateSearch: createdSearch,
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  // The router would restore invalid parameters that the schema drops.
  loaderDeps: ({ search }) => createdSearch({ ...search }),
  loader: ({ context: { app }, deps }) => {
    void loadQueries().then(
      ({ createdTestsQuery }) => app.queryClient.prefetchQuery(createdTestsQuery(deps)),
      // The page requests them too and shows their failure.
      () => undefined,
    );
  },
  component: CreatedTestsScreen,
});

function CreatedTestsScreen() {
  const state = useSearchState(createdSearch, Route.useSearch(), Route.useNavigate());
  const isWide = useMedia('(min-width: 1024px)');
  const role = useSession()?.user.role;
  return (
    <MyTestsFrame titleAside={isWide && <CreateTestOptions />}>
      <CreatedTests {...state} isAdmin={role === ROLE.admin} withCreate={!isWide} />
    </MyTestsFrame>
  );
}
