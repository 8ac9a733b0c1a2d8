import * as v from 'valibot';
import {
  AddressSearch,
  changeAddress,
  LaterPage,
  orNothing,
  readAddress,
  type Address,
} from '#domain/address.ts';

const Given = v.object({ searchQuery: orNothing(AddressSearch), page: orNothing(LaterPage) });

export type GroupSearch = Address<typeof Given>;

export const groupSearch = (given: Record<string, unknown>): GroupSearch =>
  readAddress(Given, given);

export const changedGroups = (search: GroupSearch, part: Record<string, unknown>): GroupSearch =>
  changeAddress(Given, search, part);
