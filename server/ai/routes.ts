import type { FastifyInstance } from 'fastify';
import { draftQuestions, getAiStatus, reviseQuestion } from '#contract/ai.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Drafts of questions by a provider. */
export function registerAi(app: FastifyInstance, deps: Deps): void {
  for (const route of [getAiStatus, draftQuestions, reviseQuestion]) {
    handle(app, deps, route, async () => {
      throw new Refusal('UNAVAILABLE');
    });
  }
}
