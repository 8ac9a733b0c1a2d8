import type { FastifyInstance } from 'fastify';
import {
  deleteTemplate,
  getGeneration,
  listTemplates,
  saveGeneration,
  saveTemplate,
} from '#contract/templates.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Templates of a teacher, and how tests were assembled. */
export function registerTemplates(app: FastifyInstance, deps: Deps): void {
  for (const route of [
    listTemplates,
    saveTemplate,
    deleteTemplate,
    getGeneration,
    saveGeneration,
  ]) {
    handle(app, deps, route, async () => {
      throw new Refusal('UNAVAILABLE');
    });
  }
}
