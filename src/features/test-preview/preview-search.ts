import * as v from 'valibot';
import { orNothing, readAddress } from '#domain/address.ts';

/** Search parameters of the preview. */
export interface PreviewSearch {
  /** Absent: the working copy. */
  shown?: 'published';
}

const Given = v.object({ shown: orNothing(v.literal('published')) });

/** Parses the search parameters; invalid values are dropped. */
export const previewSearch = (search: Record<string, unknown>): PreviewSearch =>
  readAddress(Given, search);
