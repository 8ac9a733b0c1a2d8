import * as v from 'valibot';
import { ProjectOrder } from '#contract/orders.ts';
import { createListAddress, orNothing } from '#domain/address.ts';
import type { OnSearch } from '#app/lib/list/use-list.ts';

/** The order is under `sort` (specification, section 2). */
const ORDER = { sort: orNothing(ProjectOrder) };

export const projectAddress = createListAddress(ORDER);
export const projectSearch = projectAddress.read;
export type ProjectSearch = ReturnType<typeof projectSearch>;

/** Administrators can filter by visible or hidden projects; a change may be of either list. */
export const adminProjectAddress = createListAddress({
  ...ORDER,
  state: orNothing(v.picklist(['shown', 'hidden'])),
});
export const { read: adminProjectSearch, change: changed } = adminProjectAddress;
export type AdminProjectSearch = ReturnType<typeof adminProjectSearch>;

export interface SearchProps<Search> {
  search: Search;
  onSearch: OnSearch<Search>;
}
export type ProjectListProps = SearchProps<ProjectSearch>;
