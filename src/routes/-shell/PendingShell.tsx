import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { ShellPage, usePath } from './ShellPage.tsx';

/** The shell around a page that is loading and has no title yet. */
export function PendingShell() {
  return (
    <ShellPage title="" rail={usePath().startsWith('/tests/manage/')}>
      <PageSpinner />
    </ShellPage>
  );
}
