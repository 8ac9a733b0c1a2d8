import * as v from 'valibot';
import { Id } from '#contract/primitives.ts';
import { AddressFlag, orNothing, readAddress, type Address } from '#domain/address.ts';

const SearchParams = v.object({
  /** Absent: the answers. */
  view: orNothing(v.picklist(['held', 'missing'])),
  /** Only answers of this attempt. */
  attemptId: orNothing(Id),
  /** Only answers to this question. */
  questionId: orNothing(Id),
  /** One class. */
  class: orNothing(Id),
  /** Include trials. */
  trials: orNothing(AddressFlag),
  /** Absent: only ungraded answers. */
  show: orNothing(v.literal('all')),
  /** The open answer: attempt and question. */
  item: orNothing(v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/))),
});

export type GradingSearch = Address<typeof SearchParams>;

export const gradingSearch = (given: Record<string, unknown>): GradingSearch =>
  readAddress(SearchParams, given);
