import { createFileRoute } from '@tanstack/react-router';
import { JoinByCode } from '#app/features/classes/JoinByCode.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/join/')({ component: Screen });

function Screen() {
  return (
    <ShellPage title="Вступить в класс">
      <JoinByCode />
    </ShellPage>
  );
}
