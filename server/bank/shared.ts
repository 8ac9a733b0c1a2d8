import { ROLE } from '#contract/auth.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { nameKey } from '#server/db/name-order.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Colleagues who share their bank with the caller, by name. */
export function sharedBanks(
  db: Client,
  { userId }: AuthenticatedUser,
): Promise<{ userId: string; userName: string }[]> {
  return rows(
    db,
    `select u.id as "userId", u.user_name as "userName"
     from bank_shares s join users u on u.id = s.owner_id where s.user_id = $1
     order by ${nameKey('u.user_name')}, u.id`,
    [userId],
  );
}

/**
 * The owner of the bank that the caller asks for; absent: the caller.
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
    (await one(db, 'select 1 from bank_shares where owner_id = $1 and user_id = $2', [
      bankOf,
      userId,
    ]));
  if (!shared) throw new Refusal('NOT_FOUND');
  return bankOf;
}
