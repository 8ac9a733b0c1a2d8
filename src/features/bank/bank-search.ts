import * as v from 'valibot';
import { TAG_CHARACTERS } from '#contract/limits.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { AddressText, createListAddress, orNothing } from '#domain/address.ts';

// Duplicated here, so that the bank's code is not in the main bundle.
const Kind = v.picklist(['open', 'variant', 'compliance', 'ordering', 'gaps', 'file']);
const Sort = v.picklist(['facility', 'uses']);

const TOPIC_CHARACTERS = 200;

const address = createListAddress({
  theme: orNothing(Theme),
  topic: orNothing(v.pipe(AddressText, v.nonEmpty(), v.maxLength(TOPIC_CHARACTERS))),
  difficulty: orNothing(Difficulty),
  kind: orNothing(Kind),
  tag: orNothing(v.pipe(AddressText, v.nonEmpty(), v.maxLength(TAG_CHARACTERS))),
  sort: orNothing(Sort),
});

export const bankSearch = address.read;
export type BankSearch = ReturnType<typeof bankSearch>;

/** Applies a change; another subject resets the topics. */
export const changedBank = (search: BankSearch, part: Record<string, unknown>): BankSearch =>
  address.change(search, { ...('theme' in part && { topic: undefined }), ...part });
