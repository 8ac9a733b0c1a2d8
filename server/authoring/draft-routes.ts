import type { FastifyInstance } from 'fastify';
import {
  discardDraft,
  getDraft,
  getDraftVersion,
  publishDraft,
  saveDraft,
} from '#contract/drafts.ts';
import type { Deps } from '#server/deps.ts';
import { requireLevel } from '#server/tests/level.ts';
import { handle } from '#server/http/handle.ts';
import { refuseOlderApp } from '#server/older-apps.ts';
import { discardDraftAs, openWorkingCopy, publishDraftAs, saveDraftAs } from './draft.ts';

/** The working copy of a test's questions. */
export function registerDrafts(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, getDraft, async ({ caller, params, wireVersion }) => {
    const { test, copy } = await openWorkingCopy(deps, caller, params.id);
    refuseOlderApp(deps, copy.questions, wireVersion());
    const questions = [...copy.questions];
    return {
      ...copy,
      questions,
      testId: test.id,
      lifecycle: test.lifecycle,
      updatedAt: copy.updatedAt.toISOString(),
    };
  });
  handle(app, deps, getDraftVersion, async ({ caller, params }) => {
    const { test, copy } = await openWorkingCopy(deps, caller, params.id);
    const { draftVersion, updatedBy, hasUnpublished } = copy;
    const updatedAt = copy.updatedAt.toISOString();
    return { draftVersion, updatedAt, updatedBy, lifecycle: test.lifecycle, hasUnpublished };
  });
  handle(
    app,
    deps,
    saveDraft,
    ({ caller, params, body, now, wireVersion }) =>
      saveDraftAs(deps, { caller, testId: params.id, now, wireVersion: wireVersion() }, body),
    { admit: ({ caller, params }) => requireLevel(deps.pool, caller, params.id, 'edit') },
  );
  handle(
    app,
    deps,
    publishDraft,
    ({ caller, params, body, now }) =>
      publishDraftAs(deps, { caller, testId: params.id, now }, body.draftVersion),
    { admit: ({ caller, params }) => requireLevel(deps.pool, caller, params.id, 'edit') },
  );
  handle(
    app,
    deps,
    discardDraft,
    ({ caller, params, body, now }) =>
      discardDraftAs(deps, { caller, testId: params.id, now }, body.draftVersion),
    { admit: ({ caller, params }) => requireLevel(deps.pool, caller, params.id, 'edit') },
  );
}
