import { formatCount, type Forms } from '#domain/format.ts';
import { FilterBar, type FilterBarProps } from '#app/ui/data/FilterBar.tsx';
import type { List, ListData } from './use-list.ts';

export interface ListFiltersProps<Data extends ListData> extends Pick<
  FilterBarProps,
  'filters' | 'more'
> {
  list: List<Data>;
  counted: Forms;
  search: Pick<FilterBarProps['search'], 'label' | 'placeholder' | 'shortPlaceholder'>;
}

/** The filter bar of a list with its state in the URL. */
export function ListFilters<Data extends ListData>({
  list,
  counted,
  search,
  ...bar
}: ListFiltersProps<Data>) {
  return (
    <FilterBar
      {...bar}
      search={{
        ...search,
        value: list.searchQuery,
        onSearch: (searchQuery) => list.change({ searchQuery }, { replace: true }),
      }}
      found={list.total === null ? null : formatCount(list.total, counted)}
      onReset={() => list.reset({ replace: true })}
    />
  );
}
