import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { listUsers } from '#contract/auth.ts';
import { getTestSettings, listCreatedTests } from '#contract/authoring.ts';
import { listGroups } from '#contract/groups.ts';
import { PAGE_SIZE_MOST } from '#contract/limits.ts';
import { Question } from '#contract/questions.ts';
import { getTest } from '#contract/tests.ts';
import { call } from '#app/api/call.ts';
import { PAGE_SIZE, type CreatedSearch } from './created-search.ts';

/** Tests that the signed-in teacher made. */
export const createdTestsQuery = (search: CreatedSearch) =>
  queryOptions({
    queryKey: ['tests/created', search],
    queryFn: ({ signal }) =>
      call(listCreatedTests, { query: { ...search, pageSize: PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** The newest own tests with ungraded or held answers. */
export const waitingTestsQuery = queryOptions({
  queryKey: ['tests/created', 'waiting'],
  queryFn: async ({ signal }) => {
    const { items } = await call(
      listCreatedTests,
      { query: { pageSize: PAGE_SIZE_MOST } },
      { signal },
    );
    return items.filter(({ pendingGrades, heldAnswers }) => pendingGrades + heldAnswers > 0);
  },
});

/** The settings of a test, without its questions. */
export const settingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['tests/settings', id],
    queryFn: ({ signal }) => call(getTestSettings, { params: { id } }, { signal }),
  });

const Questions = v.array(Question);

/** The newest questions with their keys. */
export const contentQuery = (id: string) =>
  queryOptions({
    queryKey: ['tests/content', id],
    queryFn: async ({ signal }) => {
      const test = await call(getTest, { params: { id } }, { signal });
      return { ...test, questions: v.parse(Questions, test.questions) };
    },
  });

/** People who can be assigned. */
export const peopleQuery = queryOptions({
  queryKey: ['tests/people'],
  queryFn: ({ signal }) => call(listUsers, {}, { signal }),
});

/** Classes that can be assigned: the teacher's own; admins: all. */
export const classesQuery = queryOptions({
  queryKey: ['tests/classes'],
  queryFn: ({ signal }) => call(listGroups, { query: { pageSize: PAGE_SIZE_MOST } }, { signal }),
});

/** Invalidates every query about a test, after a change of it. */
export function refreshTests(client: QueryClient): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [name] }) => typeof name === 'string' && name.startsWith('tests/'),
  });
}
