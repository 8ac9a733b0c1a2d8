import type { FastifyInstance } from 'fastify';
import { ROLE } from '#contract/auth.ts';
import { joinGroup, lookUpJoinCode } from '#contract/groups.ts';
import { type Caller, holdCaller } from '#server/auth/caller.ts';
import { countJoinFailure, giveJoinTryBack, spendJoinTry } from '#server/auth/failures.ts';
import { one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { invalid, Refusal } from '#server/http/refusal.ts';
import { groupByCode, joinByCode, type JoinedGroup } from './joining.ts';

interface Try {
  readonly caller: Caller;
  readonly address: string;
  readonly now: Date;
}

export function registerJoining(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  /** The class of a code; wrong codes are counted, so that nobody goes through all of them. */
  async function found(code: string, { caller, address, now }: Try): Promise<JoinedGroup> {
    await spendJoinTry(pool, caller.userId, address, now);
    const group = await groupByCode(pool, code);
    if (!group) {
      await countJoinFailure(pool, address, now);
      throw new Refusal('WRONG_JOIN_CODE');
    }
    await giveJoinTryBack(pool, caller.userId);
    return group;
  }

  handle(app, deps, lookUpJoinCode, async ({ caller, query, address, now }) => {
    const group = await found(query.code, { caller, address, now });
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

  handle(app, deps, joinGroup, async ({ caller, body, address, now }) => {
    const group = await found(body.code, { caller, address, now });
    if (caller.role !== ROLE.student)
      throw invalid([{ field: 'code', message: 'В класс по коду вступают только ученики' }]);
    await transaction(pool, async (client) => {
      await holdCaller(client, caller.userId);
      const { userId } = caller;
      await joinByCode(client, { groupId: group.id, code: body.code, userId, now });
    });
    return { groupId: group.id, name: group.name };
  });
}
