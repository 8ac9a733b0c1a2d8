import * as v from 'valibot';
import { Id } from '#contract/primitives.ts';
import { AddressText, orNothing, readAddress } from '#domain/address.ts';

/** What of the grading screen stands in the URL; what is absent is as it is by default. */
export interface GradingSearch {
  /** Absent: the answers. */
  view?: 'held' | 'missing';
  /** All answers of one attempt. */
  attemptId?: string;
  /** All answers to one question. */
  questionId?: string;
  /** One class. */
  class?: string;
  /** Trials, too. */
  trials?: '1';
  /** Absent: only what waits for a grade. */
  show?: 'all';
  /** The answer that is open: attempt and question. */
  item?: string;
}

const Given = v.object({
  view: orNothing(v.picklist(['held', 'missing'])),
  attemptId: orNothing(Id),
  questionId: orNothing(Id),
  class: orNothing(Id),
  trials: orNothing(v.pipe(AddressText, v.literal('1'))),
  show: orNothing(v.literal('all')),
  item: orNothing(v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/))),
});

/** The state of the screen by its URL; a value that cannot be is as if it were not there. */
export function gradingSearch(given: Record<string, unknown>): GradingSearch {
  return readAddress(Given, given);
}

/** Whose answers: what stays when one goes from one view of the screen to another. */
export const scopeOf = ({ class: groupId, trials }: GradingSearch): GradingSearch => ({
  ...(groupId !== undefined && { class: groupId }),
  ...(trials !== undefined && { trials }),
});

export type OnSearch = (next: GradingSearch, options: { replace: boolean }) => void;
