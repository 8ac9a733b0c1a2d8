import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { listUsers, ROLE } from '#contract/auth.ts';
import { getGroup, listGroups, lookUpJoinCode } from '#contract/groups.ts';
import { call } from '#app/api/call.ts';
import type { GroupSearch } from './group-search.ts';

/** Page size of the list. */
export const PAGE_SIZE = 20;

const LIST = 'groups/list';
const ONE = 'groups/one';

export const groupsQuery = ({ searchQuery = '', page = 1 }: GroupSearch) =>
  queryOptions({
    queryKey: [LIST, searchQuery, page],
    queryFn: ({ signal }) =>
      call(listGroups, { query: { searchQuery, page, pageSize: PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
  });

export const groupQuery = (groupId: string) =>
  queryOptions({
    queryKey: [ONE, groupId],
    queryFn: ({ signal }) => call(getGroup, { params: { groupId } }, { signal }),
  });

/** All students of the school. */
export const studentsQuery = queryOptions({
  queryKey: ['groups/students'],
  queryFn: async ({ signal }) =>
    (await call(listUsers, {}, { signal })).items.filter(({ role }) => role === ROLE.student),
});

/** The class of a join code. Not retried: wrong codes are rate-limited. */
export const joinCodeQuery = (code: string) =>
  queryOptions({
    queryKey: ['groups/code', code],
    queryFn: ({ signal }) => call(lookUpJoinCode, { query: { code } }, { signal }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });

/** Mutation key of the calls that produce student cards. */
export const cardsKey = (groupId: string) => ['groups/cards', groupId];

/** Invalidates a class and the list, after a change of it. */
export async function renewGroups(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: [LIST] }),
    client.invalidateQueries({ queryKey: [ONE] }),
  ]);
}
