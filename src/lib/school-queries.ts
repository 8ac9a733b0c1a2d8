import { queryOptions } from '@tanstack/react-query';
import { listUsers } from '#contract/auth.ts';
import { listGroups } from '#contract/groups.ts';
import { PAGE_SIZE_MOST } from '#contract/limits.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from './query-keys.ts';

/** Everybody of the school. */
export const peopleQuery = queryOptions({
  queryKey: queryKeys.people,
  queryFn: ({ signal }) => call(listUsers, {}, { signal }),
});

/** Class and sign-in name of a namesake; undefined: nobody else has the name. */
export const namesakeDetail = ({
  classes = [],
  email,
}: {
  classes?: readonly string[] | undefined;
  email?: string | undefined;
}): string | undefined => (email === undefined ? undefined : [...classes, email].join(' · '));

/** The teacher's own classes; administrators: all. */
export const classesQuery = queryOptions({
  queryKey: [...queryKeys.groups, 'all'],
  queryFn: ({ signal }) => call(listGroups, { query: { pageSize: PAGE_SIZE_MOST } }, { signal }),
});
