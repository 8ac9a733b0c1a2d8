import { ROLE } from '#contract/auth.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { nameKey } from '#server/db/name-order.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Banks shared with the person of an SQL expression, of owners who still teach. */
export const bankSharesSql = (userId: string) => `(
  select s.owner_id, o.user_name from bank_shares s join users o on o.id = s.owner_id
  where s.user_id = ${userId} and o.role <> ${ROLE.student} and o.erased_at is null)`;

/** Colleagues who share their bank with the caller, by name. */
export function sharedBanks(
  db: Client,
  { userId }: AuthenticatedUser,
): Promise<{ userId: string; userName: string }[]> {
  return rows(
    db,
    `select b.owner_id as "userId", b.user_name as "userName" from ${bankSharesSql('$1')} b
     order by ${nameKey('b.user_name')}, b.owner_id`,
    [userId],
  );
}

/**
 * The owner of the requested bank; absent: the caller.
 * @throws {Refusal} NOT_FOUND for a bank that is not shared with the caller
 */
export async function readableBank(
  db: Client,
  { userId, role }: AuthenticatedUser,
  bankOf: string | undefined,
): Promise<string> {
  if (bankOf === undefined || bankOf === userId) return userId;
  const shared =
    role !== ROLE.student &&
    (await one(db, `select 1 from ${bankSharesSql('$2')} b where b.owner_id = $1`, [
      bankOf,
      userId,
    ]));
  if (!shared) throw new Refusal('NOT_FOUND');
  return bankOf;
}
