import * as v from 'valibot';
import { ProjectOrder } from '#contract/orders.ts';
import { AddressSearch, LaterPage, orNothing, readAddress } from '#domain/address.ts';

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

const Given = v.object({
  sort: orNothing(ProjectOrder),
  searchQuery: orNothing(AddressSearch),
  page: orNothing(LaterPage),
});
const GivenToAdmins = v.object({
  ...Given.entries,
  state: orNothing(v.picklist(['shown', 'hidden'])),
});

/** The state of a list by its URL; a value that cannot be is as if it were not there. */
export function projectSearch(given: Record<string, unknown>): ProjectSearch {
  return readAddress(Given, given);
}

export function adminProjectSearch(given: Record<string, unknown>): AdminProjectSearch {
  return readAddress(GivenToAdmins, given);
}

/** `replace`: typing and sorting leave no trail of «назад». */
type OnSearch<Search> = (next: Search, options: { replace: boolean }) => void;

export interface SearchProps<Search extends ProjectSearch> {
  search: Search;
  onSearch: OnSearch<Search>;
}
export type ProjectListProps = SearchProps<ProjectSearch>;
