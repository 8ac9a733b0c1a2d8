import { createFileRoute } from '@tanstack/react-router';
import { ProjectPage } from '#app/projects/ProjectPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/projects/$projectId')({ component: Screen });

function Screen() {
  const { projectId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <ShellPage title="Проект" back={{ to: '/projects', label: 'К проектам' }}>
      <ProjectPage
        key={projectId}
        projectId={projectId}
        onDeleted={() => void navigate({ to: '/projects/my', replace: true })}
      />
    </ShellPage>
  );
}
