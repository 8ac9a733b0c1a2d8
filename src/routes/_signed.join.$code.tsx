import { createFileRoute } from '@tanstack/react-router';
import { JoinPage } from '#app/groups/JoinPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/join/$code')({ component: Screen });

function Screen() {
  const { code } = Route.useParams();
  return (
    <ShellPage title="Вступить в класс">
      <JoinPage key={code} code={code} />
    </ShellPage>
  );
}
