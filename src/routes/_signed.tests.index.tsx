import { createFileRoute } from '@tanstack/react-router';
import { TestBase } from '#app/library/TestBase.tsx';
import { useSession } from '#app/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/tests/')({ component: TestBaseScreen });

function TestBaseScreen() {
  const owner = useSession()?.user.userId;
  return (
    <ShellPage title="База тестов">{owner !== undefined && <TestBase owner={owner} />}</ShellPage>
  );
}
