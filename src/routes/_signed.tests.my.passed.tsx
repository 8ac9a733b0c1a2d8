import { createFileRoute } from '@tanstack/react-router';
import { PassedTests } from '#app/library/PassedTests.tsx';
import { useSession } from '#app/session/session-context.ts';
import { MyTestsFrame } from './-shell/MyTestsFrame.tsx';

export const Route = createFileRoute('/_signed/tests/my/passed')({ component: PassedTestsScreen });

function PassedTestsScreen() {
  const owner = useSession()?.user.userId;
  return <MyTestsFrame>{owner !== undefined && <PassedTests owner={owner} />}</MyTestsFrame>;
}
