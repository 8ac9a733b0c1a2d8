import * as v from 'valibot';
import { AddressSearch, LaterPage, orNothing, readAddress } from '#domain/address.ts';

/** Search parameters of the list of classes. */
export interface GroupSearch {
  searchQuery?: string;
  page?: number;
}

const Given = v.object({ searchQuery: orNothing(AddressSearch), page: orNothing(LaterPage) });

/** Parses the search parameters; invalid values are dropped. */
export function groupSearch(given: Record<string, unknown>): GroupSearch {
  return readAddress(Given, given);
}
