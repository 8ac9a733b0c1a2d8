import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { listUsers, ROLE } from '#contract/auth.ts';
import { getGroup, listGroups, lookUpJoinCode } from '#contract/groups.ts';
import { call } from '#app/api/call.ts';
import type { GroupSearch } from './group-search.ts';

/** Classes on one page of the list. */
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

/** Pupils of the school, whatever class they are in. */
export const pupilsQuery = queryOptions({
  queryKey: ['groups/pupils'],
  queryFn: async ({ signal }) =>
    (await call(listUsers, {}, { signal })).items.filter(({ role }) => role === ROLE.student),
});

/** The class of a join code. Asked once: a wrong code counts against who tries it. */
export const joinCodeQuery = (code: string) =>
  queryOptions({
    queryKey: ['groups/code', code],
    queryFn: ({ signal }) => call(lookUpJoinCode, { query: { code } }, { signal }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });

/** Of the mutations that end with cards of pupils. */
export const cardsKey = (groupId: string) => ['groups/cards', groupId];

/** After any change of a class: it and the list are read anew. */
export async function renewGroups(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: [LIST] }),
    client.invalidateQueries({ queryKey: [ONE] }),
  ]);
}
