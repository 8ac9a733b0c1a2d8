import { queryOptions } from '@tanstack/react-query';
import { listUsers } from '#contract/users.ts';
import { listGroups } from '#contract/groups.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import type { ReplyOf } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from './query-keys.ts';

/** All people of the school. */
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

type Groups = ReplyOf<typeof listGroups>;

async function readClasses(signal: AbortSignal, known: Groups['items'] = []): Promise<Groups> {
  const page = known.length / MAX_PAGE_SIZE + 1;
  const { items, total } = await call(
    listGroups,
    { query: { page, pageSize: MAX_PAGE_SIZE } },
    { signal },
  );
  const all = [...known, ...items];
  return items.length < MAX_PAGE_SIZE || all.length >= total
    ? { items: all, total }
    : readClasses(signal, all);
}

/** All classes of the teacher, and those that colleagues share; for administrators all of the school. */
export const classesQuery = queryOptions({
  queryKey: [...queryKeys.groups, 'all'],
  queryFn: ({ signal }) => readClasses(signal),
});
