import { bankParameters, type BankSearch } from './bank-search.ts';

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
  bankParameters.change(search, {
    ...('bankOf' in part && OF_ONE_BANK),
    ...('theme' in part && { topic: undefined }),
    ...part,
  });

export const bankAddress: typeof bankParameters = { ...bankParameters, change: changedBank };
