import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import type { ListAddress } from '#domain/address.ts';
import type { PageData } from '#app/lib/use-page-query.ts';
import { lastPage } from '#app/ui/data/pages.ts';

/** Puts the parameters of a page into the URL. `replace`: typing and filters add no history entries. */
export type OnSearch<Search> = (next: Search, options: { replace: boolean }) => void;

/** One page of a list, with the number of entries on all pages. */
export interface ListData {
  readonly items: readonly unknown[];
  readonly total: number;
  /** When a copy without network was stored; null or absent: fresh. */
  readonly savedAt?: string | null;
}

interface PagedSearch {
  searchQuery?: string;
  page?: number;
}

export interface ListSource<Search extends PagedSearch, Data extends ListData> {
  query: PageData<Data>;
  /** State of the list from the URL. */
  search: Search;
  onSearch: OnSearch<Search>;
  address: ListAddress<Search>;
  pageSize: number;
  /** The controls stay when the list is empty, because they lead to other lists; null: not known yet. */
  leadsOn?: boolean | null;
}

/** The state that a list, its controls and its pages share. */
export interface List<Data extends ListData> {
  query: PageData<Data>;
  page: number;
  pageSize: number;
  searchQuery: string;
  /** Entries on all pages; null: not known for the current search. */
  total: number | null;
  isNarrowed: boolean;
  /**
   * Whether search and filters are shown. `reserved`: their room is empty, since an empty list has none and the number
   * of entries is unknown yet.
   */
  controls: 'shown' | 'reserved' | 'none';
  controlsRef: RefObject<HTMLDivElement | null>;
  change: (part: Record<string, unknown>, options: { replace: boolean }) => void;
  /** Drops search and filters. */
  reset: (options: { replace: boolean }) => void;
}

function controlsOf(
  { query, leadsOn = false }: Pick<ListSource<PagedSearch, ListData>, 'query' | 'leadsOn'>,
  { total, isNarrowed }: Pick<List<ListData>, 'total' | 'isNarrowed'>,
): List<ListData>['controls'] {
  if (isNarrowed || leadsOn === true) return 'shown';
  if (query.problem !== null) return query.data === undefined ? 'none' : 'shown';
  if (query.data === undefined || (total === 0 && leadsOn === null)) return 'reserved';
  return total === 0 ? 'none' : 'shown';
}

/** The state of a list. Goes to the last page if the URL requests a page beyond it. */
export function useList<Search extends PagedSearch, Data extends ListData>(
  source: ListSource<Search, Data>,
): List<Data> {
  const { query, search, onSearch, address, pageSize } = source;
  const { page = 1, searchQuery = '' } = search;
  const total = query.data && !query.isPrevious ? query.data.total : null;
  const isNarrowed = address.isNarrowed(search);
  const change: List<Data>['change'] = (part, options) =>
    onSearch(address.change(search, part), options);
  const last = total === null ? page : lastPage({ total, pageSize });
  const stepBack = useEffectEvent(() => change({ page: last }, { replace: true }));
  useEffect(() => {
    if (page > last) stepBack();
  }, [page, last]);
  return {
    query,
    page,
    pageSize,
    searchQuery,
    total,
    isNarrowed,
    controls: controlsOf(source, { total, isNarrowed }),
    controlsRef: useRef<HTMLDivElement>(null),
    change,
    reset: (options) => onSearch(address.widen(search), options),
  };
}
