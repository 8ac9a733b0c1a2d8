import * as v from 'valibot';
import { TAG_CHARACTERS } from '#contract/limits.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { AddressSearch, AddressText, LaterPage, orNothing, readAddress } from '#domain/address.ts';

// Written again here: the routes of the bank shall not be in the app's first script for it.
const Kind = v.picklist(['open', 'variant', 'compliance', 'file']);
const Sort = v.picklist(['facility', 'uses']);

const TOPIC_CHARACTERS = 200;

/** What of the bank stands in the URL; what is absent is as it is by default. */
export interface BankSearch {
  searchQuery?: string;
  theme?: Theme;
  topic?: string;
  difficulty?: Difficulty;
  kind?: v.InferOutput<typeof Kind>;
  tag?: string;
  sort?: v.InferOutput<typeof Sort>;
  page?: number;
}

const Given = v.object({
  searchQuery: orNothing(AddressSearch),
  theme: orNothing(Theme),
  topic: orNothing(v.pipe(AddressText, v.nonEmpty(), v.maxLength(TOPIC_CHARACTERS))),
  difficulty: orNothing(Difficulty),
  kind: orNothing(Kind),
  tag: orNothing(v.pipe(AddressText, v.nonEmpty(), v.maxLength(TAG_CHARACTERS))),
  sort: orNothing(Sort),
  page: orNothing(LaterPage),
});

/** The state of the bank by its URL; a value that cannot be is as if it were not there. */
export function bankSearch(given: Record<string, unknown>): BankSearch {
  return readAddress(Given, given);
}

/** The state after a change; all but a turned page lead to the first one, another subject to all its topics. */
export function changedBank(search: BankSearch, part: Record<string, unknown>): BankSearch {
  const { page: _, topic, ...rest } = search;
  const kept = 'theme' in part || topic === undefined ? rest : { ...rest, topic };
  return bankSearch({ ...kept, ...part });
}

/** Whether anything is left out; an order or a page leaves out nothing. */
export const isNarrowed = (search: BankSearch): boolean =>
  Object.keys(search).some((name) => name !== 'sort' && name !== 'page');
