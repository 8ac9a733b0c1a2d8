import * as v from 'valibot';
import { ProjectOrder } from '#contract/orders.ts';
import {
  AddressSearch,
  changeAddress,
  LaterPage,
  orNothing,
  readAddress,
  type Address,
} from '#domain/address.ts';
import type { OnSearch } from '#app/lib/list-page.ts';

/** The order is under `sort` (specification, section 2). */
const Given = v.object({
  sort: orNothing(ProjectOrder),
  searchQuery: orNothing(AddressSearch),
  page: orNothing(LaterPage),
});
export type ProjectSearch = Address<typeof Given>;

/** Administrators can filter by visible or hidden projects. */
const GivenToAdmins = v.object({
  ...Given.entries,
  state: orNothing(v.picklist(['shown', 'hidden'])),
});
export type AdminProjectSearch = Address<typeof GivenToAdmins>;

export const projectSearch = (given: Record<string, unknown>): ProjectSearch =>
  readAddress(Given, given);

export const adminProjectSearch = (given: Record<string, unknown>): AdminProjectSearch =>
  readAddress(GivenToAdmins, given);

/** Applies a change to the parameters of either list. */
export const changed = (
  search: AdminProjectSearch,
  part: Record<string, unknown>,
): AdminProjectSearch => changeAddress(GivenToAdmins, search, part);

export interface SearchProps<Search> {
  search: Search;
  onSearch: OnSearch<Search>;
}
export type ProjectListProps = SearchProps<ProjectSearch>;
