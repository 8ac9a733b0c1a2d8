import type { FastifyInstance } from 'fastify';
import {
  getBankShares,
  getGroupShares,
  getTestShares,
  setBankShares,
  setGroupShares,
  setTestShares,
} from '#contract/sharing.ts';
import { lockEditable } from '#server/authoring/editable.ts';
import { execute } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { managedGroup } from '#server/groups/access.ts';
import { handle } from '#server/http/handle.ts';
import { requireLevel } from '#server/tests/level.ts';
import { readShares, replaceShares } from './shares.ts';

/** Sharing of tests, classes and banks with colleagues, by their owners. */
export function registerSharing(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, getTestShares, async ({ caller, params: { id } }) => {
    await requireLevel(pool, caller, id, 'owner');
    return readShares(pool, { kind: 'test', id });
  });

  handle(
    app,
    deps,
    setTestShares,
    ({ caller, params: { id }, body, now }) =>
      replaceShares(
        deps,
        { kind: 'test', id },
        body.shares,
        { actorId: caller.userId, now },
        async (client) => (await lockEditable(client, caller, id, 'owner')).ownerId,
      ),
    { admit: ({ caller, params }) => requireLevel(pool, caller, params.id, 'owner') },
  );

  handle(app, deps, getGroupShares, async ({ caller, params: { groupId } }) => {
    await managedGroup(pool, caller, groupId, 'owner');
    return readShares(pool, { kind: 'group', id: groupId });
  });

  handle(
    app,
    deps,
    setGroupShares,
    ({ caller, params: { groupId }, body, now }) =>
      replaceShares(
        deps,
        { kind: 'group', id: groupId },
        body.shares,
        { actorId: caller.userId, now },
        async (client) => {
          await execute(client, 'select 1 from groups where id = $1 for no key update', [groupId]);
          return (await managedGroup(client, caller, groupId, 'owner')).ownerId;
        },
      ),
    { admit: ({ caller, params }) => managedGroup(pool, caller, params.groupId, 'owner') },
  );

  handle(app, deps, getBankShares, ({ caller }) =>
    readShares(pool, { kind: 'bank', id: caller.userId }),
  );

  handle(app, deps, setBankShares, ({ caller, body, now }) =>
    replaceShares(
      deps,
      { kind: 'bank', id: caller.userId },
      body.shares,
      { actorId: caller.userId, now },
      async (client) => {
        await execute(client, 'select 1 from users where id = $1 for no key update', [
          caller.userId,
        ]);
        return caller.userId;
      },
    ),
  );
}
