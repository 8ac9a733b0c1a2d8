import { createFileRoute } from '@tanstack/react-router';
import { ROLE } from '#contract/auth.ts';
import { JoinPage } from '#app/features/classes/JoinPage.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/join/$code')({ component: Screen });

function Screen() {
  const { code } = Route.useParams();
  const isStudent = useSession()?.user.role === ROLE.student;
  return (
    <ShellPage title="Вступить в класс">
      <JoinPage code={code} isStudent={isStudent} />
    </ShellPage>
  );
}
