import { Box } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/')({ component: HomeScreen });

/** The home page: only its title, over squared paper. */
function HomeScreen() {
  return (
    <ShellPage title="Учебная платформа">
      <Box className="squared" h="40dvh" aria-hidden />
    </ShellPage>
  );
}
