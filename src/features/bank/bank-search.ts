import * as v from 'valibot';
import { TAG_CHARACTERS } from '#contract/limits.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { AddressSearch, AddressText, LaterPage, orNothing, readAddress } from '#domain/address.ts';

// Duplicated here, so that the bank's code is not in the main bundle.
const Kind = v.picklist(['open', 'variant', 'compliance', 'ordering', 'gaps', 'file']);
const Sort = v.picklist(['facility', 'uses']);

const TOPIC_CHARACTERS = 200;

/** Search parameters in the URL; absent ones have their default. */
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

/** Parses the search parameters; invalid values are dropped. */
export function bankSearch(given: Record<string, unknown>): BankSearch {
  return readAddress(Given, given);
}

/** Applies a change; anything but a page change returns to the first page, another subject resets the topics. */
export function changedBank(search: BankSearch, part: Record<string, unknown>): BankSearch {
  const { page: _, topic, ...rest } = search;
  const kept = 'theme' in part || topic === undefined ? rest : { ...rest, topic };
  return bankSearch({ ...kept, ...part });
}

/** Whether search or a filter narrows the list. */
export const isNarrowed = (search: BankSearch): boolean =>
  Object.keys(search).some((name) => name !== 'sort' && name !== 'page');
