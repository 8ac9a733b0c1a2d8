import { createListAddress } from '#domain/address.ts';

export const { read: groupSearch, change: changedGroups } = createListAddress({});

export type GroupSearch = ReturnType<typeof groupSearch>;
