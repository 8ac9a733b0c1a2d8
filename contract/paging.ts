import * as v from 'valibot';
import { MAX_PAGE_SIZE } from './limits.ts';
import { PositiveInteger } from './primitives.ts';

/** Common parameters of list requests. */

export const SearchQuery = v.pipe(v.string(), v.trim(), v.maxLength(200, 'Слишком длинный запрос'));

/** A part of a list: `page` from 1. */
export const paging = {
  page: v.optional(PositiveInteger, 1),
  pageSize: v.optional(v.pipe(PositiveInteger, v.maxValue(MAX_PAGE_SIZE)), 20),
};
