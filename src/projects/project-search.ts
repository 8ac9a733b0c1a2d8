import * as v from 'valibot';
import { PositiveInteger } from '#contract/primitives.ts';
import { ProjectOrder } from '#contract/orders.ts';
import { SearchQuery } from '#contract/tests.ts';

/** What of a list of projects stands in the URL; the order under `sort` (specification, section 2). */
export interface ProjectSearch {
  sort?: ProjectOrder;
  searchQuery?: string;
  page?: number;
}

/** The administrators' list can be narrowed to what is on the showcase, or off it. */
export interface AdminProjectSearch extends ProjectSearch {
  state?: 'shown' | 'hidden';
}

// The router reads `?searchQuery=9` as a number.
const Typed = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  SearchQuery,
  v.nonEmpty(),
);
const Page = v.pipe(PositiveInteger, v.minValue(2));

/** The state of a list by its URL; a value that cannot be is as if it were not there. */
export function projectSearch(given: Record<string, unknown>): ProjectSearch {
  const sort = v.safeParse(ProjectOrder, given['sort']);
  const searchQuery = v.safeParse(Typed, given['searchQuery']);
  const page = v.safeParse(Page, given['page']);
  return {
    ...(sort.success && { sort: sort.output }),
    ...(searchQuery.success && { searchQuery: searchQuery.output }),
    ...(page.success && { page: page.output }),
  };
}

export function adminProjectSearch(given: Record<string, unknown>): AdminProjectSearch {
  const { state } = given;
  return {
    ...projectSearch(given),
    ...((state === 'shown' || state === 'hidden') && { state }),
  };
}

/** `replace`: typing and sorting leave no trail of «назад». */
type OnSearch<Search> = (next: Search, options: { replace: boolean }) => void;

export interface SearchProps<Search extends ProjectSearch> {
  search: Search;
  onSearch: OnSearch<Search>;
}
export type ProjectListProps = SearchProps<ProjectSearch>;
