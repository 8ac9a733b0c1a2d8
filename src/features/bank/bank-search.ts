import * as v from 'valibot';
import { TAG_CHARACTERS } from '#contract/limits.ts';
import { Id } from '#contract/primitives.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { AddressText, createListAddress, orNothing } from '#domain/address.ts';

// Duplicated here, so that the bank's code is not in the main bundle.
const Kind = v.picklist(['open', 'variant', 'compliance', 'ordering', 'gaps', 'file']);
const Sort = v.picklist(['facility', 'uses']);

const TOPIC_CHARACTERS = 200;

const address = createListAddress(
  {
    /** A colleague's bank. */
    bankOf: orNothing(Id),
    theme: orNothing(Theme),
    topic: orNothing(v.pipe(AddressText, v.nonEmpty(), v.maxLength(TOPIC_CHARACTERS))),
    difficulty: orNothing(Difficulty),
    kind: orNothing(Kind),
    tag: orNothing(v.pipe(AddressText, v.nonEmpty(), v.maxLength(TAG_CHARACTERS))),
    sort: orNothing(Sort),
  },
  ['bankOf'],
);

export const bankSearch = address.read;
export type BankSearch = ReturnType<typeof bankSearch>;

/** Parameters of one bank, which may not fit another. */
const OF_ONE_BANK = {
  theme: undefined,
  topic: undefined,
  difficulty: undefined,
  kind: undefined,
  tag: undefined,
};

/** Applies a change; another subject resets the topics, another bank all filters. */
export const changedBank = (search: BankSearch, part: Record<string, unknown>): BankSearch =>
  address.change(search, {
    ...('bankOf' in part && OF_ONE_BANK),
    ...('theme' in part && { topic: undefined }),
    ...part,
  });

export const bankAddress: typeof address = { ...address, change: changedBank };
