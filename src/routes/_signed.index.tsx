import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { isTeacherLevel } from '#domain/roles.ts';
import { NextTests } from '#app/library/NextTests.tsx';
import { useSession } from '#app/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

// Teachers alone have answers to grade.
const TestsToGrade = lazy(() =>
  import('#app/authoring/TestsToGrade.tsx').then((module) => ({ default: module.TestsToGrade })),
);

export const Route = createFileRoute('/_signed/')({ component: HomeScreen });

/** The title, and under it what this person has to do next, if there is anything. */
function HomeScreen() {
  const user = useSession()?.user;
  return (
    <ShellPage title="Учебная платформа">
      {user && <NextTests owner={user.userId} />}
      {user && isTeacherLevel(user.role) && (
        <Suspense>
          <TestsToGrade />
        </Suspense>
      )}
    </ShellPage>
  );
}
