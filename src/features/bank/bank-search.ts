import * as v from 'valibot';
import { TAG_CHARACTERS } from '#contract/limits.ts';
import { Id } from '#contract/primitives.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { AddressText, createListAddress, orNothing } from '#domain/address.ts';

// Duplicated here, so that the bank's code is not in the main bundle.
const Kind = v.picklist(['open', 'variant', 'compliance', 'ordering', 'gaps', 'file']);
const Sort = v.picklist(['facility', 'uses']);

const TOPIC_CHARACTERS = 200;

/** The parameters as such; `bankAddress` knows what a change resets. */
export const bankParameters = createListAddress(
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

export const bankSearch = bankParameters.read;
export type BankSearch = ReturnType<typeof bankSearch>;
