import type { FastifyInstance } from 'fastify';
import { ROLE } from '#contract/auth.ts';
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  setJoinCode,
  updateGroup,
} from '#contract/groups.ts';
import { inAlphabet } from '#domain/alphabet.ts';
import { lockCaller } from '#server/auth/caller.ts';
import { execute, one, rows, transaction } from '#server/db/query.ts';
import { folded, wordPatterns } from '#server/db/search.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { GROUP_ROWS, isSharedGroup, managedGroup, wireGroup, type GroupRow } from './access.ts';
import { freeJoinCode } from './join-codes.ts';
import { registerJoining } from './join-routes.ts';
import { registerMembers } from './member-routes.ts';
import { listMembers } from './members.ts';

export function registerGroups(app: FastifyInstance, deps: Deps): void {
  registerGroupReading(app, deps);
  registerGroupChanges(app, deps);
  registerMembers(app, deps);
  registerJoining(app, deps);
}

function registerGroupReading(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, listGroups, async ({ caller, query }) => {
    const owned = caller.role === ROLE.admin ? null : caller.userId;
    const named = await rows<{ id: string; name: string }>(
      pool,
      `select g.id, g.name from groups g join users u on u.id = g.owner_id
        where ($1::uuid is null or g.owner_id = $1 or ${isSharedGroup('$1')})
          and ${folded(`concat_ws(' ', g.name, u.user_name)`)} like all ($2::text[])`,
      [owned, wordPatterns(query.searchQuery)],
    );
    const from = (query.page - 1) * query.pageSize;
    const ids = inAlphabet(named, (group) => group)
      .slice(from, from + query.pageSize)
      .map(({ id }) => id);
    const groups = await rows<GroupRow>(
      pool,
      `${GROUP_ROWS} where g.id = any($1) order by array_position($1::uuid[], g.id)`,
      [ids],
    );
    return { items: groups.map((group) => wireGroup(caller, group)), total: named.length };
  });

  handle(app, deps, getGroup, async ({ caller, params }) => {
    const group = await managedGroup(pool, caller, params.groupId);
    const assigned = await one<{ tests: number }>(
      pool,
      'select count(*) as tests from assignments where group_id = $1',
      [group.id],
    );
    return {
      ...wireGroup(caller, group),
      members: await listMembers(pool, caller, group.id),
      assignedTests: assigned?.tests ?? 0,
    };
  });
}

function registerGroupChanges(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, createGroup, async ({ caller, body, now }) => {
    const id = deps.newId();
    const joinCode = await freeJoinCode(pool);
    await transaction(pool, async (client) => {
      await lockCaller(client, caller.userId);
      await execute(
        client,
        'insert into groups (id, name, owner_id, join_code, created_at) values ($1, $2, $3, $4, $5)',
        [id, body.name, caller.userId, joinCode, now],
      );
    });
    return wireGroup(caller, await managedGroup(pool, caller, id));
  });

  handle(
    app,
    deps,
    updateGroup,
    async ({ caller, params, body }) => {
      const { groupId } = params;
      return transaction(pool, async (client) => {
        await lockCaller(client, caller.userId);
        await managedGroup(client, caller, groupId);
        await execute(client, 'update groups set name = $2 where id = $1', [groupId, body.name]);
        return wireGroup(caller, await managedGroup(client, caller, groupId));
      });
    },
    { admit: ({ caller, params }) => managedGroup(pool, caller, params.groupId) },
  );

  handle(app, deps, deleteGroup, async ({ caller, params }) => {
    await managedGroup(pool, caller, params.groupId, 'owner');
    await execute(pool, 'delete from groups where id = $1', [params.groupId]);
    return {};
  });

  handle(
    app,
    deps,
    setJoinCode,
    async ({ caller, params, body }) => {
      const { groupId } = params;
      const joinCode = body.enabled ? await freeJoinCode(pool) : null;
      return transaction(pool, async (client) => {
        await lockCaller(client, caller.userId);
        await managedGroup(client, caller, groupId);
        await execute(client, 'update groups set join_code = $2 where id = $1', [
          groupId,
          joinCode,
        ]);
        return { joinCode };
      });
    },
    { admit: ({ caller, params }) => managedGroup(pool, caller, params.groupId) },
  );
}
