import { createFileRoute } from '@tanstack/react-router';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/')({ component: HomeScreen });

function HomeScreen() {
  return <ShellPage title="Учебная платформа" />;
}
