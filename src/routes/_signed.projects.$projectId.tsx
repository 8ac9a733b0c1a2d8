import { createFileRoute } from '@tanstack/react-router';
import { ProjectPage } from '#app/features/projects/ProjectPage.tsx';
import { useSession } from '#app/lib/session/session-context.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/projects/$projectId')({ component: Screen });

function Screen() {
  const { projectId } = Route.useParams();
  const navigate = Route.useNavigate();
  const userName = useSession()?.user.userName ?? '';
  return (
    <ProjectPage
      projectId={projectId}
      userName={userName}
      onDeleted={() => void navigate({ to: '/projects/my', replace: true })}
      renderPage={(page) => <ShellPage {...page} back={{ to: '/projects', label: 'К проектам' }} />}
    />
  );
}
