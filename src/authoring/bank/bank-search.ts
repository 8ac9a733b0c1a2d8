import * as v from 'valibot';
import { TAG_CHARACTERS } from '#contract/limits.ts';
import { PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery } from '#contract/tests.ts';
import { Difficulty, Theme } from '#contract/themes.ts';

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

// The router reads `?tag=9` as a number and `true` as a boolean.
const asText = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
);

const orNothing = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(schema: S) =>
  v.fallback(v.optional(schema), undefined);

const Given = v.object({
  searchQuery: orNothing(v.pipe(asText, SearchQuery, v.nonEmpty())),
  theme: orNothing(Theme),
  topic: orNothing(v.pipe(asText, v.nonEmpty(), v.maxLength(TOPIC_CHARACTERS))),
  difficulty: orNothing(Difficulty),
  kind: orNothing(Kind),
  tag: orNothing(v.pipe(asText, v.nonEmpty(), v.maxLength(TAG_CHARACTERS))),
  sort: orNothing(Sort),
  page: orNothing(v.pipe(PositiveInteger, v.minValue(2))),
});

/** The state of the bank by its URL; a value that cannot be is as if it were not there. */
export function bankSearch(given: Record<string, unknown>): BankSearch {
  const known = Object.entries(v.parse(Given, given)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known);
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
