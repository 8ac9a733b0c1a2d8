import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { getTest } from '#contract/full-test.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';

const Questions = v.array(Question);

/** The newest questions with their keys. */
export const contentQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'content', id],
    queryFn: async ({ signal }) => {
      const test = await call(getTest, { params: { id } }, { signal });
      return { ...test, questions: v.parse(Questions, test.questions) };
    },
  });
