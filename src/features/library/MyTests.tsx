import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FoundTests, type FoundTestsProps } from './FoundTests.tsx';

/** The tests assigned to the signed-in person, with search, filters, order and page in the URL. */
export function MyTests(props: Pick<FoundTestsProps, 'owner' | 'search' | 'onSearch' | 'query'>) {
  return (
    <FoundTests
      {...props}
      leadsTo="overview"
      searchLabel="Поиск по названию, автору или предмету"
      firstOrder="Сначала доступные"
      empty={
        <EmptyState heading="Пока нет назначенных тестов">
          Они появятся здесь, когда преподаватель их назначит
        </EmptyState>
      }
    />
  );
}
