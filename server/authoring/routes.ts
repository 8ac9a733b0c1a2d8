import type { FastifyInstance } from 'fastify';
import {
  createTest,
  deleteTest,
  duplicateTest,
  getTestSettings,
  listCreatedTests,
  setLifecycle,
  updateTest,
} from '#contract/authoring.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { requireLevel } from '#server/tests/level.ts';
import { createTestAs } from './create.ts';
import { listCreated } from './created.ts';
import { duplicateTestAs } from './duplicate.ts';
import { deleteTestAs, setLifecycleAs } from './lifecycle.ts';
import { readSettings } from './settings.ts';
import { updateTestAs } from './update.ts';

/** Authoring of tests: teachers have access to their own and shared ones, admins to all. */
export function registerAuthoring(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listCreatedTests, ({ caller, query, now }) =>
    listCreated(deps.pool, caller, query, now),
  );
  handle(app, deps, createTest, ({ caller, body, now }) => createTestAs(deps, caller, body, now));
  handle(app, deps, updateTest, ({ caller, body, now }) => updateTestAs(deps, caller, body, now));
  handle(app, deps, deleteTest, ({ caller, params, now }) =>
    deleteTestAs(deps, caller, params.id, now),
  );
  handle(app, deps, duplicateTest, ({ caller, params, now }) =>
    duplicateTestAs(deps, caller, params.id, now),
  );
  handle(
    app,
    deps,
    setLifecycle,
    ({ caller, params, body, now }) =>
      setLifecycleAs(deps, caller, { testId: params.id, lifecycle: body.lifecycle }, now),
    { admit: ({ caller, params }) => requireLevel(deps.pool, caller, params.id, 'edit') },
  );
  handle(app, deps, getTestSettings, ({ caller, params, now }) =>
    readSettings(deps.pool, caller, params.id, now),
  );
}
