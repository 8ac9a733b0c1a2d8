import { queryOptions, type QueryClient } from '@tanstack/react-query';
import {
  getBankShares,
  getGroupShares,
  getTestShares,
  setBankShares,
  setGroupShares,
  setTestShares,
  type Colleague,
  type ShareLevel,
} from '#contract/sharing.ts';
import { call } from '#app/api/call.ts';

/** What is shared with colleagues. */
export type ShareTarget =
  | { readonly kind: 'test'; readonly id: string; readonly name: string }
  | { readonly kind: 'group'; readonly id: string; readonly name: string }
  | { readonly kind: 'bank' };

type Reply = Promise<{ items: Colleague[] }>;

interface Share {
  readonly userId: string;
  readonly level: ShareLevel;
}

const read = (target: ShareTarget, signal: AbortSignal): Reply => {
  if (target.kind === 'test') return call(getTestShares, { params: { id: target.id } }, { signal });
  if (target.kind === 'group')
    return call(getGroupShares, { params: { groupId: target.id } }, { signal });
  return call(getBankShares, {}, { signal });
};

/** Replaces the colleagues. */
export const saveShares = (target: ShareTarget, shares: readonly Share[]): Reply => {
  if (target.kind === 'test')
    return call(setTestShares, { params: { id: target.id }, body: { shares: [...shares] } });
  if (target.kind === 'group')
    return call(setGroupShares, {
      params: { groupId: target.id },
      body: { shares: shares.map(({ userId }) => ({ userId, level: 'edit' as const })) },
    });
  return call(setBankShares, {
    body: { shares: shares.map(({ userId }) => ({ userId, level: 'results' as const })) },
  });
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
  });

export const renewShares = (client: QueryClient, target: ShareTarget): Promise<void> =>
  client.invalidateQueries({ queryKey: keyOf(target) });
