import * as v from 'valibot';
import { Id } from '#contract/primitives.ts';
import { AddressText, orNothing, readAddress } from '#domain/address.ts';

/** Search parameters of the grading screen; absent ones have their default. */
export interface GradingSearch {
  /** Absent: the answers. */
  view?: 'held' | 'missing';
  /** Only answers of this attempt. */
  attemptId?: string;
  /** Only answers to this question. */
  questionId?: string;
  /** One class. */
  class?: string;
  /** Include trials. */
  trials?: '1';
  /** Absent: only ungraded answers. */
  show?: 'all';
  /** The open answer: attempt and question. */
  item?: string;
}

const SearchParams = v.object({
  view: orNothing(v.picklist(['held', 'missing'])),
  attemptId: orNothing(Id),
  questionId: orNothing(Id),
  class: orNothing(Id),
  trials: orNothing(v.pipe(AddressText, v.literal('1'))),
  show: orNothing(v.literal('all')),
  item: orNothing(v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/))),
});

/** Parses the search parameters; invalid values are dropped. */
export function gradingSearch(given: Record<string, unknown>): GradingSearch {
  return readAddress(SearchParams, given);
}

/** The filters that all views share. */
export const scopeOf = ({ class: groupId, trials }: GradingSearch): GradingSearch => ({
  ...(groupId !== undefined && { class: groupId }),
  ...(trials !== undefined && { trials }),
});

export type OnSearch = (next: GradingSearch, options: { replace: boolean }) => void;
