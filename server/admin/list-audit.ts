import type { FastifyInstance } from 'fastify';
import { listAudit } from '#contract/admin.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

export function registerAudit(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listAudit, async () => {
    throw new Refusal('UNAVAILABLE');
  });
}
