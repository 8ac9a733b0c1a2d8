import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import {
  getProject,
  getProjectFiles,
  listAdminProjects,
  listMyProjects,
  listProjects,
} from '#contract/projects.ts';
import { call, callWithFacts } from '#app/api/call.ts';
import { withAge } from '#app/lib/aged.ts';
import { fetchPicture } from '#app/lib/files.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { dataUrls } from './data-urls.ts';
import type { AdminProjectSearch, ProjectSearch } from './project-search.ts';

/** Projects on one page: whole rows of two, three or four cards. */
export const PAGE_SIZE = 12;
export const ADMIN_PAGE_SIZE = 20;

const DETAILS_FRESH_MS = 2_000;
const FILES_FRESH_MS = 60 * 60_000;
/** Ten megabytes in base64 over a school's network take longer than the default timeout. */
const FILES_TIMEOUT_MS = 60_000;

const query = ({ sort = 'new', searchQuery = '', page = 1 }: ProjectSearch) => ({
  sortOrder: sort,
  searchQuery,
  page,
});

/** One page of the showcase. Queries of projects do not retry (specification, section 7). */
export const projectsQuery = (search: ProjectSearch) =>
  queryOptions({
    queryKey: [...queryKeys.projectLists, 'all', query(search)],
    queryFn: async ({ signal }) =>
      withAge(
        await callWithFacts(
          listProjects,
          { query: { ...query(search), pageSize: PAGE_SIZE } },
          { signal },
        ),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });

/** One page of the signed-in person's own projects. */
export const myProjectsQuery = (search: ProjectSearch) =>
  queryOptions({
    queryKey: [...queryKeys.projectLists, 'my', query(search)],
    queryFn: async ({ signal }) =>
      withAge(
        await callWithFacts(
          listMyProjects,
          { query: { ...query(search), pageSize: PAGE_SIZE } },
          { signal },
        ),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });

/** One page of all projects, for administrators. */
export const adminProjectsQuery = ({ state, ...search }: AdminProjectSearch) =>
  queryOptions({
    queryKey: [...queryKeys.projectLists, 'admin', state ?? 'all', query(search)],
    queryFn: ({ signal }) =>
      call(
        listAdminProjects,
        { query: { ...query(search), state: state ?? 'all', pageSize: ADMIN_PAGE_SIZE } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });

/** One project; fresh for 2 seconds. */
export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.project(id),
    queryFn: async ({ signal }) =>
      withAge(await callWithFacts(getProject, { params: { id } }, { signal })),
    staleTime: DETAILS_FRESH_MS,
    retry: false,
  });

/** Logo and documentation of a project as data URLs; fresh for 1 hour. */
export const projectFilesQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.projectFiles(id),
    queryFn: async ({ signal }) =>
      dataUrls(
        await call(getProjectFiles, { params: { id } }, { signal, timeoutMs: FILES_TIMEOUT_MS }),
      ),
    staleTime: FILES_FRESH_MS,
    retry: false,
  });

/** A logo by its key, which is never reused. */
export const logoQuery = (key: string) =>
  queryOptions({
    queryKey: ['projects', 'logo', key],
    queryFn: () => fetchPicture(key),
    staleTime: Infinity,
    retry: false,
  });

/** Invalidates the lists after a project was added, hidden, shown or deleted. */
export async function renewLists(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: queryKeys.projectLists });
}

/** Invalidates a changed project, its files and the lists. */
export async function renewProject(client: QueryClient, id: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.project(id) }),
    client.invalidateQueries({ queryKey: queryKeys.projectFiles(id) }),
    renewLists(client),
  ]);
}

/** A deleted project must not come back out of the cache. */
export async function forgetProject(client: QueryClient, id: string): Promise<void> {
  // The project's page may still be mounted: it must not refetch a deleted project.
  for (const queryKey of [queryKeys.project(id), queryKeys.projectFiles(id)])
    client.removeQueries({ queryKey, type: 'inactive' });
  await renewLists(client);
}
