import * as v from 'valibot';
import { ProjectOrder } from '#contract/orders.ts';
import { AddressSearch, LaterPage, orNothing, readAddress } from '#domain/address.ts';

/** Search parameters of a project list; the order is under `sort` (specification, section 2). */
export interface ProjectSearch {
  sort?: ProjectOrder;
  searchQuery?: string;
  page?: number;
}

/** Administrators can filter by visible or hidden projects. */
export interface AdminProjectSearch extends ProjectSearch {
  state?: 'shown' | 'hidden';
}

const Given = v.object({
  sort: orNothing(ProjectOrder),
  searchQuery: orNothing(AddressSearch),
  page: orNothing(LaterPage),
});
const GivenToAdmins = v.object({
  ...Given.entries,
  state: orNothing(v.picklist(['shown', 'hidden'])),
});

/** Parses the search parameters; invalid values are dropped. */
export function projectSearch(given: Record<string, unknown>): ProjectSearch {
  return readAddress(Given, given);
}

export function adminProjectSearch(given: Record<string, unknown>): AdminProjectSearch {
  return readAddress(GivenToAdmins, given);
}

/** `replace`: typing and sorting add no history entries. */
type OnSearch<Search> = (next: Search, options: { replace: boolean }) => void;

export interface SearchProps<Search extends ProjectSearch> {
  search: Search;
  onSearch: OnSearch<Search>;
}
export type ProjectListProps = SearchProps<ProjectSearch>;
