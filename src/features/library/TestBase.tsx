import { Link } from '@tanstack/react-router';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FoundTests } from './FoundTests.tsx';
import type { ListSearch } from './list-search.ts';
import { testBaseQuery } from './queries.ts';

export interface TestBaseProps {
  owner: string;
  /** State of the list from the URL. */
  search: ListSearch;
  onSearch: OnSearch<ListSearch>;
}

/** Tests open to everyone, with search, filters, order and page in the URL. */
export function TestBase({ owner, search, onSearch }: TestBaseProps) {
  return (
    <FoundTests
      owner={owner}
      search={search}
      onSearch={onSearch}
      query={usePageQuery(testBaseQuery(search))}
      leadsTo="overview"
      empty={
        <EmptyState
          heading="В базе пока нет тестов"
          action={<Link to="/tests/my">К моим тестам</Link>}
        >
          Они появятся здесь, когда преподаватель откроет тест для всех
        </EmptyState>
      }
    />
  );
}
