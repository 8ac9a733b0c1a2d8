import { createFileRoute } from '@tanstack/react-router';
import { HelpPage } from '#app/help/HelpPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/help/$topic')({ component: Screen });

function Screen() {
  const { topic } = Route.useParams();
  return (
    <ShellPage title="Справка">
      <HelpPage topic={topic} />
    </ShellPage>
  );
}
