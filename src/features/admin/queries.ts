import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { listAdminUsers, listAudit } from '#contract/admin.ts';
import { listUsers } from '#contract/auth.ts';
import { getFactorRequirements } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { auditFilter, type AuditSearch } from './audit-search.ts';
import type { UsersSearch } from './users-search.ts';

/** Page size of accounts and of the log. */
export const PAGE_SIZE = 20;

const USERS = 'admin/users';
const AUDIT = 'admin/audit';

export function usersQuery({ role, page = 1, searchQuery, state, sortOrder }: UsersSearch) {
  const query = {
    ...(searchQuery !== undefined && { searchQuery }),
    ...(role !== undefined && { role: String(role) as '0' | '1' | '2' }),
    ...(state !== undefined && { state }),
    ...(sortOrder !== undefined && { sortOrder }),
    page,
    pageSize: PAGE_SIZE,
  };
  return queryOptions({
    queryKey: [USERS, query],
    queryFn: ({ signal }) => call(listAdminUsers, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function auditQuery(search: AuditSearch, timeZone: string) {
  const query = { ...auditFilter(search, timeZone), page: search.page ?? 1, pageSize: PAGE_SIZE };
  return queryOptions({
    queryKey: [AUDIT, query],
    queryFn: ({ signal }) => call(listAudit, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** People to filter the log by. */
export const peopleQuery = queryOptions({
  queryKey: ['admin/people'],
  queryFn: ({ signal }) => call(listUsers, {}, { signal }),
});

/** Invalidates accounts and the log, after a change of accounts. */
export async function renewUsers(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: [USERS] }),
    client.invalidateQueries({ queryKey: [AUDIT] }),
  ]);
}

/** The roles that require a second factor. */
export const requirementsQuery = queryOptions({
  queryKey: ['admin/second-factor'],
  queryFn: ({ signal }) => call(getFactorRequirements, {}, { signal }),
});
