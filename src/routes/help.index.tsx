import { createFileRoute } from '@tanstack/react-router';
import { HelpPage } from '#app/features/help/HelpPage.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/help/')({ component: Screen });

function Screen() {
  return (
    <ShellPage title="Справка">
      <HelpPage topic={null} />
    </ShellPage>
  );
}
