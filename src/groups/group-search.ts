import * as v from 'valibot';
import { AddressSearch, LaterPage, orNothing, readAddress } from '#domain/address.ts';

/** What of the list of classes stands in the URL. */
export interface GroupSearch {
  searchQuery?: string;
  page?: number;
}

const Given = v.object({ searchQuery: orNothing(AddressSearch), page: orNothing(LaterPage) });

/** The state of the list by its URL; a value that cannot be is as if it were not there. */
export function groupSearch(given: Record<string, unknown>): GroupSearch {
  return readAddress(Given, given);
}
