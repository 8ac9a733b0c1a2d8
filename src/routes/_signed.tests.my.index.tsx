import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { ROLE } from '#contract/auth.ts';
import { formatCount, TESTS } from '#domain/format.ts';
import { JoinLink } from '#app/groups/JoinLink.tsx';
import { MyTests } from '#app/library/MyTests.tsx';
import { myTestsQuery } from '#app/library/queries.ts';
import { useSession } from '#app/session/session-context.ts';
import { TitleCount } from '#app/ui/TitleCount.tsx';
import { MyTestsFrame } from './-shell/MyTestsFrame.tsx';

export const Route = createFileRoute('/_signed/tests/my/')({
  loader: ({ context: { app } }) => {
    void app.queryClient.prefetchQuery(myTestsQuery);
  },
  component: MyTestsScreen,
});

function MyTestsScreen() {
  const { data } = useQuery(myTestsQuery);
  const total = data?.data.total ?? 0;
  const user = useSession()?.user;
  return (
    <MyTestsFrame titleAside={total > 0 && <TitleCount>{formatCount(total, TESTS)}</TitleCount>}>
      {user && <MyTests owner={user.userId} />}
      {user?.role === ROLE.student && <JoinLink />}
    </MyTestsFrame>
  );
}
