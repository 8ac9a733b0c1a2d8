import type { FastifyInstance } from 'fastify';
import { checkImport, importUsers } from '#contract/admin.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

export function registerImport(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, checkImport, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, importUsers, async () => {
    throw new Refusal('UNAVAILABLE');
  });
}
