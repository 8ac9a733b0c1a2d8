import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { getStartCode, listCodeClasses } from '#contract/offers.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';

/** How often what other people change is read: prepared and begun attempts, and the codes of a colleague. */
const EVERY_MS = 15_000;

const KEY = [...queryKeys.tests, 'start-code'] as const;

/** A code of a test: that of a class, or the common one. */
export interface ChosenCode {
  readonly testId: string;
  readonly groupId: string | undefined;
}

/** The parts of a call that name a code. */
export const ofCode = ({ testId, groupId }: ChosenCode) => ({
  params: { id: testId },
  query: groupId === undefined ? {} : { groupId },
});

/** A start code of a test, and how many students have used it. */
export const startCodeQuery = (code: ChosenCode) =>
  queryOptions({
    queryKey: [...KEY, code.testId, code.groupId ?? ''],
    queryFn: ({ signal }) => call(getStartCode, ofCode(code), { signal }),
    refetchInterval: EVERY_MS,
  });

/** The classes of a test, each with or without a code of its own. */
export const codeClassesQuery = (testId: string) =>
  queryOptions({
    queryKey: [...KEY, testId, 'classes'],
    queryFn: ({ signal }) => call(listCodeClasses, { params: { id: testId } }, { signal }),
    refetchInterval: EVERY_MS,
  });

/** After a change of the codes. */
export const renewStartCodes = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: KEY });
