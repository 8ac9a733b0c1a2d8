import type { FastifyInstance } from 'fastify';
import { listAdminProjects, setProjectHidden } from '#contract/projects.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

export function registerAdminProjects(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listAdminProjects, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, setProjectHidden, async () => {
    throw new Refusal('UNAVAILABLE');
  });
}
