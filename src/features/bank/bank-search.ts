import * as v from 'valibot';
import { TAG_CHARACTERS } from '#contract/limits.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import {
  AddressSearch,
  AddressText,
  changeAddress,
  LaterPage,
  orNothing,
  readAddress,
  type Address,
} from '#domain/address.ts';

// Duplicated here, so that the bank's code is not in the main bundle.
const Kind = v.picklist(['open', 'variant', 'compliance', 'ordering', 'gaps', 'file']);
const Sort = v.picklist(['facility', 'uses']);

const TOPIC_CHARACTERS = 200;

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
export type BankSearch = Address<typeof Given>;

export const bankSearch = (given: Record<string, unknown>): BankSearch => readAddress(Given, given);

/** Applies a change; another subject resets the topics. */
export const changedBank = (search: BankSearch, part: Record<string, unknown>): BankSearch =>
  changeAddress(Given, search, { ...('theme' in part && { topic: undefined }), ...part });

/** Whether search or a filter narrows the list. */
export const isNarrowed = (search: BankSearch): boolean =>
  Object.keys(search).some((name) => name !== 'sort' && name !== 'page');
