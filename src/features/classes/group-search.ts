import { createListAddress } from '#domain/address.ts';

export const groupAddress = createListAddress({});
export const groupSearch = groupAddress.read;
export type GroupSearch = ReturnType<typeof groupSearch>;
