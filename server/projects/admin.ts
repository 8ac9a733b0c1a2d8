import type { FastifyInstance } from 'fastify';
import { listAdminProjects, setProjectHidden } from '#contract/projects.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { projectPage } from './list.ts';

const HIDDEN = { all: null, shown: false, hidden: true } as const;

/** Projects as administrators see them. */
export function registerAdminProjects(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listAdminProjects, ({ query }) =>
    projectPage(deps.pool, { ownerId: null, isHidden: HIDDEN[query.state] }, query),
  );

  handle(app, deps, setProjectHidden, async ({ caller, params: { id }, body, now }) => {
    const { isHidden } = body;
    await transaction(deps.pool, async (client) => {
      const project = await one<{ isHidden: boolean }>(
        client,
        'select hidden_at is not null as "isHidden" from projects where id = $1 for update',
        [id],
      );
      if (!project) throw new Refusal('NOT_FOUND');
      // A repeat is not logged as an act.
      if (project.isHidden === isHidden) return;
      await execute(client, 'update projects set hidden_at = $2 where id = $1', [
        id,
        isHidden ? now : null,
      ]);
      const act = isHidden ? 'projectHidden' : 'projectShown';
      await recordAct(client, deps, actOn('project', id, { actorId: caller.userId, act }), now);
    });
    return { isHidden };
  });
}
