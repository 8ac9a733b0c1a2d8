import * as v from 'valibot';
import { orNothing, readAddress } from '#domain/address.ts';

/** What of the preview stands in the URL. */
export interface PreviewSearch {
  /** Absent: the working copy. */
  shown?: 'published';
}

const Given = v.object({ shown: orNothing(v.literal('published')) });

/** Reads the URL's search; what makes no sense is as if it were absent. */
export const previewSearch = (search: Record<string, unknown>): PreviewSearch =>
  readAddress(Given, search);
