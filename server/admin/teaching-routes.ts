import type { FastifyInstance } from 'fastify';
import { getTeaching, handOverTeaching } from '#contract/admin.ts';
import { one, repeatDeadlocked, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { deleteAccount } from '#server/users/erase.ts';
import { requireStillAdmin } from './admins.ts';
import {
  archiveTeaching,
  countRunning,
  countTeaching,
  listSuccessors,
  passTeaching,
} from './teaching.ts';

/** The teaching property of an account, also of an erased one that others depend on. */
export function registerTeaching(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, getTeaching, async ({ params: { userId }, now }) => {
    if (!(await one(pool, 'select 1 from users where id = $1', [userId])))
      throw new Refusal('NOT_FOUND');
    const [counts, runningAttempts, successors] = await Promise.all([
      countTeaching(pool, userId),
      countRunning(pool, userId, now),
      listSuccessors(pool, userId),
    ]);
    return { ...counts, runningAttempts, successors };
  });

  handle(app, deps, handOverTeaching, ({ caller, params: { userId }, body, now }) => {
    const { successorId } = body;
    return repeatDeadlocked(() =>
      transaction(pool, async (client) => {
        await requireStillAdmin(client, caller.userId);
        const account = await one<{ isErased: boolean }>(
          client,
          'select erased_at is not null as "isErased" from users where id = $1 for update',
          [userId],
        );
        if (!account) throw new Refusal('NOT_FOUND');
        const doing = { deps, actorId: caller.userId, userId, now };
        if (successorId === null) return archiveTeaching(client, doing);
        const passed = await passTeaching(client, doing, successorId);
        // Nothing may depend on the nameless row any more.
        if (account.isErased) await deleteAccount(client, userId);
        return passed;
      }),
    );
  });
}
