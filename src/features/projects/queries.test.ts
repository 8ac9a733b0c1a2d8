import type { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, callWithFacts } from '#app/api/call.ts';
import { SAVED_AT_HEADER } from '#app/offline/messages.ts';
import { createQueryClient } from '#app/app/query-client.ts';
import {
  adminProjectsQuery,
  forgetProject,
  logoQuery,
  myProjectsQuery,
  projectFilesQuery,
  projectQuery,
  projectsQuery,
  renewLists,
  renewProject,
} from './queries.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(), callWithFacts: vi.fn() }));

const ID = '01900000-0000-7000-8000-000000000001';
const OTHER = '01900000-0000-7000-8000-000000000002';
let client: QueryClient;

beforeEach(() => {
  client = createQueryClient();
  vi.mocked(call).mockReset();
  vi.mocked(callWithFacts).mockReset();
});
afterEach(() => client.clear());

test('project files are fresh for 1 hour, project details for 2 seconds', () => {
  expect(projectFilesQuery(ID).staleTime).toBe(3_600_000);
  expect(projectQuery(ID).staleTime).toBe(2_000);
});

test('queries of projects do not retry', async () => {
  vi.mocked(callWithFacts).mockRejectedValue(new Error('no'));
  const queries = [
    projectsQuery({}),
    myProjectsQuery({}),
    adminProjectsQuery({}),
    projectQuery(ID),
    projectFilesQuery(ID),
    logoQuery(ID),
  ] as const;
  for (const query of queries) expect(query.retry).toBe(false);
  await expect(client.fetchQuery(projectQuery(ID))).rejects.toThrow('no');
  expect(callWithFacts).toHaveBeenCalledTimes(1);
});

test('lists and projects have the time of a cached reply', async () => {
  const savedAt = '2026-05-22T07:42:00.000Z';
  const answer = (headers: Headers) =>
    vi.mocked(callWithFacts).mockResolvedValueOnce({ reply: { total: 0 }, headers } as never);
  for (const query of [projectsQuery({}), myProjectsQuery({}), projectQuery(ID)]) {
    answer(new Headers({ [SAVED_AT_HEADER]: savedAt }));
    const { queryKey, queryFn } = query as unknown as {
      queryKey: readonly unknown[];
      queryFn: never;
    };
    expect(await client.fetchQuery({ queryKey, queryFn })).toEqual({ total: 0, savedAt });
    answer(new Headers());
    expect(await client.fetchQuery({ queryKey, queryFn })).toEqual({ total: 0, savedAt: null });
  }
});

test('base64 of the files becomes data URLs, an absent file none', async () => {
  vi.mocked(call).mockResolvedValue({
    logo: 'AAAA',
    logoMimeType: 'image/png',
    documentation: null,
    documentationMimeType: null,
  });
  expect(await client.fetchQuery(projectFilesQuery(ID))).toEqual({
    logo: 'data:image/png;base64,AAAA',
    documentation: null,
  });
});

const keys = {
  all: projectsQuery({}).queryKey,
  mine: myProjectsQuery({}).queryKey,
  project: projectQuery(ID).queryKey,
  files: projectFilesQuery(ID).queryKey,
  otherFiles: projectFilesQuery(OTHER).queryKey,
};
const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;

function fill(): void {
  for (const key of Object.values<readonly unknown[]>(keys)) client.setQueryData(key, {});
}

test('after a create the project lists are refreshed', async () => {
  fill();
  await renewLists(client);
  expect([isStale(keys.all), isStale(keys.mine)]).toEqual([true, true]);
  expect([isStale(keys.project), isStale(keys.files)]).toEqual([false, false]);
});

test('after an update the project and its files are refreshed, another one’s are not', async () => {
  fill();
  await renewProject(client, ID);
  expect([isStale(keys.project), isStale(keys.files), isStale(keys.all)]).toEqual([
    true,
    true,
    true,
  ]);
  expect(isStale(keys.otherFiles)).toBe(false);
});

test('a deleted project is removed from the cache', async () => {
  fill();
  await forgetProject(client, ID);
  expect(client.getQueryData(keys.project)).toBeUndefined();
  expect(client.getQueryData(keys.files)).toBeUndefined();
  expect(isStale(keys.all)).toBe(true);
});
