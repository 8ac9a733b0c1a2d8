import type { FastifyInstance } from 'fastify';
import {
  getBankShares,
  getGroupShares,
  getTestShares,
  changeBankShares,
  changeGroupShares,
  changeTestShares,
} from '#contract/sharing.ts';
import { lockEditable } from '#server/authoring/editable.ts';
import { execute } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { managedGroup } from '#server/groups/access.ts';
import { handle } from '#server/http/handle.ts';
import { requireLevel } from '#server/tests/level.ts';
import { readShares, changeShares } from './shares.ts';

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
    changeTestShares,
    ({ caller, params: { id }, body, now }) =>
      changeShares(deps, { kind: 'test', id }, body, { actorId: caller.userId, now }, (client) =>
        lockEditable(client, caller, id, 'owner'),
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
    changeGroupShares,
    ({ caller, params: { groupId }, body, now }) =>
      changeShares(
        deps,
        { kind: 'group', id: groupId },
        body,
        { actorId: caller.userId, now },
        async (client) => {
          await execute(client, 'select 1 from groups where id = $1 for no key update', [groupId]);
          await managedGroup(client, caller, groupId, 'owner');
        },
      ),
    { admit: ({ caller, params }) => managedGroup(pool, caller, params.groupId, 'owner') },
  );

  handle(app, deps, getBankShares, ({ caller }) =>
    readShares(pool, { kind: 'bank', id: caller.userId }),
  );

  handle(app, deps, changeBankShares, ({ caller, body, now }) =>
    changeShares(
      deps,
      { kind: 'bank', id: caller.userId },
      body,
      { actorId: caller.userId, now },
      (client) =>
        execute(client, 'select 1 from users where id = $1 for no key update', [caller.userId]),
    ),
  );
}
