import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { formatCount, TESTS } from '#domain/format.ts';
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
  const owner = useSession()?.user.userId;
  return (
    <MyTestsFrame titleAside={total > 0 && <TitleCount>{formatCount(total, TESTS)}</TitleCount>}>
      {owner !== undefined && <MyTests owner={owner} />}
    </MyTestsFrame>
  );
}
