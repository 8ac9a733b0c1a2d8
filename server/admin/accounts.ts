import type { PoolClient } from 'pg';
import type { InferOutput } from 'valibot';
import type { AdminUser, AdminUserOrder, AdminUserState, listAdminUsers } from '#contract/admin.ts';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import type { QueryOf } from '#contract/route.ts';
import { nameKey } from '#domain/alphabet.ts';
import { hasFactorSql } from '#server/auth/second-factor/factors.ts';
import { areCodesStoppedSql } from '#server/auth/second-factor/failures.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { folded, wordPatterns } from '#server/db/search.ts';
import { Refusal } from '#server/http/refusal.ts';
import { ownsTeachingSql } from './teaching.ts';

interface AdminUserRow {
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  readonly role: RoleNumber;
  readonly isBlocked: boolean;
  readonly createdAt: Date;
  readonly lastSeenAt: Date | null;
  readonly isLastAdmin: boolean;
  readonly hasSecondFactor: boolean;
  readonly areCodesStopped: boolean;
  readonly ownsTeaching: boolean;
  readonly erasedAt: Date | null;
}

/** A running attempt may set the last use of its sign-in in the future. */
const LAST_SEEN =
  '(select max(least(s.last_used_at, $1::timestamptz)) from sessions s where s.user_id = u.id)';

/** Needs the time as $1. */
const ADMIN_USERS = `
select u.id as "userId", u.user_name as "userName", u.email, u.role,
  u.blocked_at is not null as "isBlocked", u.created_at as "createdAt", ${LAST_SEEN} as "lastSeenAt",
  u.role = ${ROLE.admin} and u.blocked_at is null and (
    select count(*) from users a where a.role = ${ROLE.admin} and a.blocked_at is null) = 1
    as "isLastAdmin",
  u.role <> ${ROLE.student} and ${hasFactorSql('u.id')} as "hasSecondFactor",
  u.role <> ${ROLE.student} and ${areCodesStoppedSql('u.id')} as "areCodesStopped",
  ${ownsTeachingSql('u.id')} as "ownsTeaching", u.erased_at as "erasedAt"
from users u`;

const wireAdminUser = ({
  areCodesStopped,
  ownsTeaching,
  erasedAt,
  ...row
}: AdminUserRow): AdminUser => ({
  ...row,
  ...(areCodesStopped && { areCodesStopped }),
  ...(ownsTeaching && { ownsTeaching }),
  ...(erasedAt && { erasedAt: erasedAt.toISOString() }),
  createdAt: row.createdAt.toISOString(),
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
});

/** @throws {Refusal} NOT_FOUND, also for one that was erased */
export async function adminUser(db: Client, userId: string, now: Date): Promise<AdminUser> {
  const row = await one<AdminUserRow>(
    db,
    `${ADMIN_USERS} where u.id = $2 and u.erased_at is null`,
    [now, userId],
  );
  if (!row) throw new Refusal('NOT_FOUND');
  return wireAdminUser(row);
}

/** The sort key of each order. */
const ORDER_KEYS: Readonly<Record<InferOutput<typeof AdminUserOrder>, string>> = {
  name: 'u.user_name',
  new: 'u.created_at',
  seen: LAST_SEEN,
};

const IS_BLOCKED: Readonly<Record<InferOutput<typeof AdminUserState>, boolean | null>> = {
  all: null,
  active: false,
  blocked: true,
  erased: null,
};

type Key = string | Date | null;

/** Names from А to Я; times from the newest, with «never» last. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  const time = (key: Key) => (key instanceof Date ? key.getTime() : Number.NEGATIVE_INFINITY);
  return time(a) === time(b) ? 0 : time(b) - time(a);
}

/** A page of the accounts. Erased ones that still own tests or classes come only if the filter requests them. */
export async function listAccounts(
  db: Client,
  query: QueryOf<typeof listAdminUsers>,
  now: Date,
): Promise<{ items: AdminUser[]; total: number }> {
  const matching = await rows<{ id: string; key: Key }>(
    db,
    `select u.id, ${ORDER_KEYS[query.sortOrder]} as key from users u
     where $1::timestamptz is not null
       and case when $5 then u.erased_at is not null and ${ownsTeachingSql('u.id')}
         else u.erased_at is null end
       and ($2::int is null or u.role = $2)
       and ($3::bool is null or (u.blocked_at is not null) = $3)
       and ${folded(`concat_ws(' ', u.user_name, u.email)`)} like all ($4::text[])`,
    [
      now,
      query.role ?? null,
      IS_BLOCKED[query.state],
      wordPatterns(query.searchQuery),
      query.state === 'erased',
    ],
  );
  const from = (query.page - 1) * query.pageSize;
  const ids = matching
    .map(({ id, key }) => ({ id, key: typeof key === 'string' ? nameKey(key) : key }))
    .toSorted((a, b) => compareKeys(a.key, b.key) || (a.id < b.id ? -1 : 1))
    .slice(from, from + query.pageSize)
    .map(({ id }) => id);
  const found = await rows<AdminUserRow>(
    db,
    `${ADMIN_USERS} where u.id = any($2) order by array_position($2::uuid[], u.id)`,
    [now, ids],
  );
  return { items: found.map(wireAdminUser), total: matching.length };
}

/** An account about to be changed, locked until the transaction ends. */
export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly userName: string;
  readonly role: RoleNumber;
  readonly isBlocked: boolean;
}

/** @throws {Refusal} NOT_FOUND, also for one that was erased */
export async function lockAccount(client: PoolClient, userId: string): Promise<AccountRow> {
  const account = await one<AccountRow>(
    client,
    `select id, email, user_name as "userName", role, blocked_at is not null as "isBlocked"
     from users where id = $1 and erased_at is null for update`,
    [userId],
  );
  if (!account) throw new Refusal('NOT_FOUND');
  return account;
}
