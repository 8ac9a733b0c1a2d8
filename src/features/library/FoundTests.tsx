import { Group, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount, plural, TESTS } from '#domain/format.ts';
import type { Aged } from '#app/lib/aged.ts';
import { ListFilters } from '#app/lib/list/ListFilters.tsx';
import { ListPage, resetAndFocus } from '#app/lib/list/ListPage.tsx';
import { useList, type OnSearch } from '#app/lib/list/use-list.ts';
import type { PageData } from '#app/lib/use-page-query.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { listFilters } from './list-filters.ts';
import { listAddress, PAGE_SIZE, type ListSearch } from './list-search.ts';
import { TestList, type LeadsTo, type ListItem } from './TestList.tsx';

const FOUND = ['Найден', 'Найдено', 'Найдено'] as const;

export interface FoundTestsProps {
  owner: string;
  search: ListSearch;
  onSearch: OnSearch<ListSearch>;
  query: PageData<Aged<{ items: ListItem[]; total: number }>>;
  leadsTo: LeadsTo;
  /** Placeholder of the search field, if it does not search title, author and topic. */
  searchLabel?: string;
  /** Label of the default order, if it is not newest first. */
  firstOrder?: string;
  /** Rows under a separate heading, after the others. */
  apart?: { heading: string; includes: (item: ListItem) => boolean } | undefined;
  /** Shown when the list is empty without filters. */
  empty: ReactNode;
}

const foundMessage = (total: number) => `${plural(total, FOUND)} ${formatCount(total, TESTS)}`;

function TestGroups({
  items,
  apart,
  ...list
}: Pick<FoundTestsProps, 'owner' | 'leadsTo' | 'apart'> & { items: readonly ListItem[] }) {
  if (!apart) return <TestList {...list} items={items} />;
  const others = items.filter((item) => !apart.includes(item));
  const those = items.filter(apart.includes);
  return (
    <>
      {others.length > 0 && <TestList {...list} items={others} />}
      {those.length > 0 && (
        <>
          <Title order={2} fz={18} lh={1.4} mt={others.length > 0 ? 'lg' : 0} mb="xs">
            {apart.heading}
          </Title>
          <TestList {...list} items={those} />
        </>
      )}
    </>
  );
}

/** A list of tests with search, filters, order and pages. */
export function FoundTests({
  owner,
  search,
  onSearch,
  query,
  leadsTo,
  searchLabel = 'Поиск по названию, автору или теме',
  firstOrder,
  apart,
  empty,
}: FoundTestsProps) {
  const { data } = query;
  const list = useList({
    query: { ...query, data: data && { ...data.data, savedAt: data.savedAt } },
    search,
    onSearch,
    address: listAddress,
    pageSize: PAGE_SIZE,
  });
  const { total } = list;
  return (
    <ListPage
      list={list}
      counted={TESTS}
      describeFound={foundMessage}
      controls={
        <ListFilters
          list={list}
          counted={TESTS}
          search={{
            label: searchLabel,
            placeholder: 'Найти по названию или автору',
            shortPlaceholder: 'Найти тест',
          }}
          filters={listFilters(search, onSearch, firstOrder)}
        />
      }
      notes={
        list.isNarrowed &&
        total !== 0 && (
          <Group
            className="tabular line-below"
            justify="space-between"
            wrap="nowrap"
            bd={{ sm: 'none' }}
            mt={{ sm: -4 }}
            mb={{ sm: 4 }}
            c="dimmed"
            fz="sm"
          >
            <span>{total !== null && foundMessage(total)}</span>
            <QuietButton icon={IconX} onClick={() => resetAndFocus(list)}>
              Сбросить
            </QuietButton>
          </Group>
        )
      }
      none={empty}
      nothing={{
        message: 'Измените запрос или сбросьте фильтры: тогда будут видны все тесты.',
        mt: { base: 'sm', sm: 0 },
      }}
    >
      {({ items }) => <TestGroups items={items} owner={owner} leadsTo={leadsTo} apart={apart} />}
    </ListPage>
  );
}
