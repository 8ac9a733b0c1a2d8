import { queryOptions, type QueryClient } from '@tanstack/react-query';
import {
  getBankShares,
  getGroupShares,
  getTestShares,
  changeBankShares,
  changeGroupShares,
  changeTestShares,
  type ShareLevel,
  type Shares,
} from '#contract/sharing.ts';
import { call } from '#app/api/call.ts';

/** The object shared with colleagues. */
export type ShareTarget =
  | { readonly kind: 'test'; readonly id: string; readonly name: string }
  | { readonly kind: 'group'; readonly id: string; readonly name: string }
  | { readonly kind: 'bank' };

interface Changes {
  readonly given: readonly { readonly userId: string; readonly level: ShareLevel }[];
  readonly taken: readonly string[];
}

const read = (target: ShareTarget, signal: AbortSignal): Promise<Shares> => {
  if (target.kind === 'test') return call(getTestShares, { params: { id: target.id } }, { signal });
  if (target.kind === 'group')
    return call(getGroupShares, { params: { groupId: target.id } }, { signal });
  return call(getBankShares, {}, { signal });
};

/** Gives and removes access. */
export const saveShares = (target: ShareTarget, { given, taken }: Changes): Promise<Shares> => {
  if (target.kind === 'test')
    return call(changeTestShares, {
      params: { id: target.id },
      body: { given: [...given], taken: [...taken] },
    });
  const all = <Level extends ShareLevel>(level: Level) => ({
    given: given.map(({ userId }) => ({ userId, level })),
    taken: [...taken],
  });
  if (target.kind === 'group')
    return call(changeGroupShares, { params: { groupId: target.id }, body: all('edit') });
  return call(changeBankShares, { body: all('results') });
};

const keyOf = (target: ShareTarget) => [
  'shares',
  target.kind,
  target.kind === 'bank' ? '' : target.id,
];

export const sharesQuery = (target: ShareTarget) =>
  queryOptions({
    queryKey: keyOf(target),
    queryFn: ({ signal }) => read(target, signal),
    // Each opening of the dialog reads it anew.
    gcTime: 0,
  });

export const renewShares = (client: QueryClient, target: ShareTarget): Promise<void> =>
  client.invalidateQueries({ queryKey: keyOf(target) });
