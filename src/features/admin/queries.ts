import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { getTeaching, listAdminUsers, listAudit } from '#contract/admin.ts';
import { getReceiptKeys } from '#contract/receipts.ts';
import { getFactorRequirements } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { auditFilter, type AuditSearch } from './audit-search.ts';
import type { UsersSearch } from './users-search.ts';

/** Page size of accounts and of the log. */
export const PAGE_SIZE = 20;

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
    queryKey: [...queryKeys.users, query],
    queryFn: ({ signal }) => call(listAdminUsers, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function auditQuery(search: AuditSearch, timeZone: string) {
  const query = { ...auditFilter(search, timeZone), page: search.page ?? 1, pageSize: PAGE_SIZE };
  return queryOptions({
    queryKey: [...queryKeys.audit, query],
    queryFn: ({ signal }) => call(listAudit, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** What an account owns for teaching. */
export const teachingQuery = (userId: string) =>
  queryOptions({
    queryKey: [...queryKeys.users, 'teaching', userId],
    queryFn: ({ signal }) => call(getTeaching, { params: { userId } }, { signal }),
    // An administrator decides by the numbers.
    staleTime: 0,
    gcTime: 0,
  });

/** Invalidates accounts, the lists of people and the log, and what shows owners, after a change of accounts. */
export async function renewUsers(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.users }),
    client.invalidateQueries({ queryKey: queryKeys.audit }),
    client.invalidateQueries({ queryKey: queryKeys.people }),
    client.invalidateQueries({ queryKey: queryKeys.tests }),
    client.invalidateQueries({ queryKey: queryKeys.groups }),
  ]);
}

/** The roles that require a second factor. */
export const requirementsQuery = queryOptions({
  queryKey: ['factor-requirements'],
  queryFn: ({ signal }) => call(getFactorRequirements, {}, { signal }),
});

/** The keys of receipts, the newest first. */
export const receiptKeysQuery = queryOptions({
  queryKey: ['receipt-keys'],
  queryFn: ({ signal }) => call(getReceiptKeys, {}, { signal }),
  // Another administrator may have changed the key.
  staleTime: 0,
});
