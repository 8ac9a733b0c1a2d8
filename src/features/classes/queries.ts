import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { ROLE } from '#contract/auth.ts';
import { getGroup, listGroups, lookUpJoinCode } from '#contract/groups.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { peopleQuery } from '#app/lib/school-queries.ts';
import type { GroupSearch } from './group-search.ts';

/** Page size of the list. */
export const PAGE_SIZE = 20;

export const groupsQuery = ({ searchQuery = '', page = 1 }: GroupSearch) =>
  queryOptions({
    queryKey: [...queryKeys.groups, 'list', searchQuery, page],
    queryFn: ({ signal }) =>
      call(listGroups, { query: { searchQuery, page, pageSize: PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
  });

export const groupQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...queryKeys.groups, groupId],
    queryFn: ({ signal }) => call(getGroup, { params: { groupId } }, { signal }),
  });

/** All students of the school. */
export const studentsQuery = queryOptions({
  ...peopleQuery,
  select: ({ items }) => items.filter(({ role }) => role === ROLE.student),
});

/** The class of a join code. Not retried: wrong codes are rate-limited. */
export const joinCodeQuery = (code: string) =>
  queryOptions({
    queryKey: ['join-code', code],
    queryFn: ({ signal }) => call(lookUpJoinCode, { query: { code } }, { signal }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });

/** Mutation key of the calls that produce student cards. */
export const cardsKey = (groupId: string) => ['student-cards', groupId];

/** Invalidates every list of classes and each class, after a change of one. */
export async function renewGroups(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: queryKeys.groups });
}
