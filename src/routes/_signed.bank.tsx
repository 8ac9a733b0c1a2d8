import { createFileRoute } from '@tanstack/react-router';
import { BankPage } from '#app/authoring/bank/BankPage.tsx';
import { requireTeacher } from './-shell/require-teacher.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/bank')({
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: Screen,
});

function Screen() {
  return (
    <ShellPage title="Банк вопросов">
      <BankPage />
    </ShellPage>
  );
}
