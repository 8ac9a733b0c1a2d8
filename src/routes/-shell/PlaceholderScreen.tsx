import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { ShellPage } from './ShellPage.tsx';

/** A page that does not exist yet; the English text is the specification's. */
export function PlaceholderScreen({ title }: { title: string }) {
  return (
    <ShellPage title={title}>
      <EmptyState heading="In development">Страница в разработке.</EmptyState>
    </ShellPage>
  );
}
