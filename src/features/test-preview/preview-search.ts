import * as v from 'valibot';
import { orNothing, readAddress, type Address } from '#domain/address.ts';

/** `shown` absent: the working copy. */
const Given = v.object({ shown: orNothing(v.literal('published')) });
export type PreviewSearch = Address<typeof Given>;

export const previewSearch = (search: Record<string, unknown>): PreviewSearch =>
  readAddress(Given, search);
