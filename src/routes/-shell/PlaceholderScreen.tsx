import { EmptyState } from '#app/ui/EmptyState.tsx';
import { ShellPage } from './ShellPage.tsx';

/** A page that is not there yet; the English words are the specification's. */
export function PlaceholderScreen({ title }: { title: string }) {
  return (
    <ShellPage title={title}>
      <EmptyState heading="In development">Страница в разработке.</EmptyState>
    </ShellPage>
  );
}
