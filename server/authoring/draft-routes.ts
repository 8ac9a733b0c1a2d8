import type { FastifyInstance } from 'fastify';
import {
  discardDraft,
  getDraft,
  getDraftVersion,
  publishDraft,
  saveDraft,
} from '#contract/drafts.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

/** The working copy of a test's questions. */
export function registerDrafts(app: FastifyInstance, deps: Deps): void {
  for (const route of [getDraft, getDraftVersion, saveDraft, publishDraft, discardDraft]) {
    handle(app, deps, route, async () => {
      throw new Refusal('UNAVAILABLE');
    });
  }
}
