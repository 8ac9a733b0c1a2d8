import type { User } from '#contract/auth.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import { spendOwnAct } from '#server/auth/act-limits.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { wireUser } from '#server/auth/sessions.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';

/**
 * Renames the caller. An unchanged name is not logged as an act.
 * @throws {Refusal} UNAUTHORIZED for an account that was just erased, ATTEMPT_RUNNING, TOO_MANY_REQUESTS
 */
export async function renameOneself(
  deps: Pick<Deps, 'pool' | 'newId'>,
  { userId, email, role }: AuthenticatedUser,
  userName: string,
  now: Date,
): Promise<User> {
  return transaction(deps.pool, async (client) => {
    // A start locks the account in share mode first: it is seen here, or comes after the new name.
    const account = await one<{ userName: string }>(
      client,
      `select user_name as "userName" from users where id = $1 and erased_at is null for update`,
      [userId],
    );
    if (!account) throw new Refusal('UNAUTHORIZED');
    if (account.userName !== userName) {
      const running = await one(
        client,
        `select 1 from attempts
         where user_id = $1 and ended is null and deleted_at is null and deadline > $2 limit 1`,
        [userId, now],
      );
      if (running) throw new Refusal('ATTEMPT_RUNNING');
      await spendOwnAct(client, 'rename', userId, now);
      await execute(client, 'update users set user_name = $2 where id = $1', [userId, userName]);
      const act = { actorId: userId, act: 'userChanged', details: { fields: 'name' } } as const;
      await recordAct(client, deps, actOn('user', userId, act), now);
    }
    return wireUser({ id: userId, email, user_name: userName, role });
  });
}
