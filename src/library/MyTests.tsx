import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { SavedAt } from '#app/offline/SavedAt.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { myTestsQuery } from './queries.ts';
import { TestList } from './TestList.tsx';

/** The tests assigned to the signed-in person. */
export function MyTests({ owner }: { owner: string }) {
  const { data, problem, retry } = usePageQuery(myTestsQuery);
  if (data) {
    return (
      <>
        <SavedAt savedAt={data.savedAt} />
        {data.data.items.length === 0 ? (
          <EmptyState heading="Пока нет назначенных тестов">
            Они появятся здесь, когда преподаватель их назначит
          </EmptyState>
        ) : (
          <TestList items={data.data.items} owner={owner} />
        )}
      </>
    );
  }
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  return <RowsSkeleton />;
}
