import { createFileRoute } from '@tanstack/react-router';
import { isTeacherLevel } from '#domain/roles.ts';
import { NextTests } from '#app/features/library/NextTests.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

// Only teachers have answers to grade.
const TestsToGrade = lazyPart(
  () => import('#app/features/created-tests/TestsToGrade.tsx'),
  (module) => module.TestsToGrade,
);

export const Route = createFileRoute('/_signed/')({ component: HomeScreen });

/** The home page: title and the person's next tasks, if any. */
function HomeScreen() {
  const user = useSession()?.user;
  return (
    <ShellPage title="Учебная платформа">
      {user && <NextTests owner={user.userId} />}
      {user && isTeacherLevel(user.role) && <TestsToGrade />}
    </ShellPage>
  );
}
