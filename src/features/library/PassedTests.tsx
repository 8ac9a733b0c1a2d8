import { Link } from '@tanstack/react-router';
import { isUnfinished } from '#domain/status.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FoundTests } from './FoundTests.tsx';
import { passedTestsQuery } from './queries.ts';
import type { TestBaseProps } from './TestBase.tsx';
import type { ListItem } from './TestList.tsx';

const UNFINISHED = {
  heading: 'Не завершены',
  includes: ({ status }: ListItem) => isUnfinished(status),
};

/** Tests with a finished attempt of the signed-in person; each links to its results. */
export function PassedTests({ owner, search, onSearch }: TestBaseProps) {
  return (
    <FoundTests
      owner={owner}
      search={search}
      onSearch={onSearch}
      query={usePageQuery(passedTestsQuery(search))}
      leadsTo="results"
      apart={UNFINISHED}
      empty={
        <EmptyState
          heading="Пока нет пройденных тестов"
          action={<Link to="/tests/my">К назначенным тестам</Link>}
        >
          Тест появится здесь с результатом, когда вы его завершите
        </EmptyState>
      }
    />
  );
}
