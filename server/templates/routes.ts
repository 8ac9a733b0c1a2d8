import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import {
  deleteTemplate,
  Generation,
  getGeneration,
  listTemplates,
  saveGeneration,
  saveTemplate,
} from '#contract/templates.ts';
import { lockCaller } from '#server/auth/caller.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { refuseOlderTemplates } from '#server/older-apps.ts';
import { requireLevel } from '#server/tests/level.ts';
import { dropTemplate, storeTemplate, templatesOf } from './store.ts';

/** Templates of a teacher, and how tests were assembled. */
export function registerTemplates(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, listTemplates, async ({ caller, wireVersion }) => {
    const items = await templatesOf(pool, caller.userId);
    refuseOlderTemplates(
      deps,
      items.map(({ body }) => body),
      wireVersion(),
    );
    return { items, total: items.length };
  });

  handle(app, deps, saveTemplate, ({ caller, params, body, now, wireVersion }) =>
    storeTemplate(deps, { ownerId: caller.userId, ...params, ...body }, now, wireVersion()),
  );

  handle(app, deps, deleteTemplate, async ({ caller, params }) => {
    await dropTemplate(pool, caller.userId, params.templateId);
    return { deleted: true };
  });

  handle(app, deps, getGeneration, async ({ caller, params }) => {
    await requireLevel(pool, caller, params.id, 'edit');
    const stored = await one<{ generation: unknown; updatedAt: Date }>(
      pool,
      'select generation, updated_at as "updatedAt" from test_generations where test_id = $1',
      [params.id],
    );
    return stored
      ? {
          generation: v.parse(Generation, stored.generation),
          updatedAt: stored.updatedAt.toISOString(),
        }
      : { generation: null, updatedAt: null };
  });

  handle(
    app,
    deps,
    saveGeneration,
    async ({ caller, params, body, now }) => {
      await transaction(pool, async (client) => {
        await lockCaller(client, caller.userId);
        await requireLevel(client, caller, params.id, 'edit');
        await execute(
          client,
          `insert into test_generations (test_id, generation, updated_at) values ($1, $2, $3)
         on conflict (test_id) do update set generation = excluded.generation,
           updated_at = excluded.updated_at`,
          [params.id, JSON.stringify(body.generation), now],
        );
      });
      return { updatedAt: now.toISOString() };
    },
    { admit: ({ caller, params }) => requireLevel(pool, caller, params.id, 'edit') },
  );
}
