import type { FastifyInstance } from 'fastify';
import { ROLE } from '#contract/auth.ts';
import { joinGroup, lookUpJoinCode } from '#contract/groups.ts';
import type { Route } from '#contract/route.ts';
import { lockCaller } from '#server/auth/caller.ts';
import { giveJoinTryBack, spendJoinTry } from '#server/auth/failures.ts';
import { hashInTurn, inTurn } from '#server/auth/passwords.ts';
import { one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { type RouteCall, handle } from '#server/http/handle.ts';
import { invalid, Refusal } from '#server/http/refusal.ts';
import { groupByCode, joinByCode, type JoinedGroup } from './joining.ts';

type JoinTry = Pick<RouteCall<Route>, 'caller' | 'now' | 'isGone'>;

export function registerJoining(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  /** The class of a code. An account has few wrong tries, and each costs a hash, so many accounts help little. */
  async function found(code: string, { caller, now, isGone }: JoinTry): Promise<JoinedGroup> {
    await spendJoinTry(pool, caller.userId, now);
    const group = await inTurn({ account: caller.userId }, async () => {
      if (isGone()) throw new Refusal('UNAVAILABLE');
      const named = await groupByCode(pool, code);
      if (!named) await hashInTurn(code);
      return named;
    });
    if (!group) throw new Refusal('WRONG_JOIN_CODE');
    await giveJoinTryBack(pool, caller.userId);
    return group;
  }

  handle(app, deps, lookUpJoinCode, async (call) => {
    const { caller, query } = call;
    const group = await found(query.code, call);
    const member = await one(
      pool,
      'select 1 from group_members where group_id = $1 and user_id = $2',
      [group.id, caller.userId],
    );
    return {
      groupId: group.id,
      name: group.name,
      owner: group.owner,
      isMember: member !== null,
    };
  });

  handle(app, deps, joinGroup, async (call) => {
    const { caller, body, now } = call;
    const group = await found(body.code, call);
    if (caller.role !== ROLE.student)
      throw invalid([{ field: 'code', message: 'В класс по коду вступают только ученики' }]);
    await transaction(pool, async (client) => {
      await lockCaller(client, caller.userId);
      const { userId } = caller;
      await joinByCode(client, { groupId: group.id, code: body.code, userId, now });
    });
    return { groupId: group.id, name: group.name };
  });
}
