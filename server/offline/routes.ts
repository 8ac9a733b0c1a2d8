import type { FastifyInstance } from 'fastify';
import {
  changeStartCode,
  decideHolds,
  getOfferFile,
  getStartCode,
  listCodeClasses,
  listHolds,
  makeClassCode,
  makeOffer,
  removeClassCode,
  renewStartCode,
  revealStartCode,
} from '#contract/offers.ts';
import { listReadiness, reportReadiness } from '#contract/readiness.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { taughtTest } from '#server/grading/taught-test.ts';
import { handle } from '#server/http/handle.ts';
import { BASE64_AT_ONCE } from '#server/http/limit-concurrency.ts';
import { Refusal } from '#server/http/refusal.ts';
import { requireLevel } from '#server/tests/level.ts';
import { addClassCode, codeClasses, deleteClassCode, requireCodeClass } from './class-codes.ts';
import { decideBegins, heldBegins } from './holds.ts';
import { makeOfferFor } from './make-offer.ts';
import { encryptedFile } from './offer-files.ts';
import { readinessOf, requireTaker, storeReadiness } from './readiness.ts';
import {
  ensureCode,
  renewCode,
  setShowFrom,
  showCode,
  startCode,
  type CodeOf,
} from './start-code.ts';

export function registerOffline(app: FastifyInstance, deps: Deps): void {
  registerOffers(app, deps);
  registerStartCode(app, deps);
  registerClassCodes(app, deps);
  registerHolds(app, deps);
  registerReadiness(app, deps);
}

function registerOffers(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, makeOffer, async (call) =>
    makeOfferFor(
      deps,
      { caller: call.caller, wireVersion: call.wireVersion() },
      call.params.id,
      call.now,
    ),
  );

  handle(
    app,
    deps,
    getOfferFile,
    async ({ caller, params }) => {
      const bytes = await encryptedFile(deps, caller.userId, params);
      return {
        bytes,
        size: bytes.length,
        name: params.key,
        mimeType: 'application/octet-stream',
      };
    },
    { atOnceEach: BASE64_AT_ONCE },
  );
}

/** The code of a test or of its class, for a caller who may grade the test. The test has a code then. */
async function codeOf(
  deps: Deps,
  caller: AuthenticatedUser,
  { id, groupId = null }: { id: string; groupId?: string | null | undefined },
  now: Date,
): Promise<CodeOf> {
  const test = await taughtTest(deps.pool, caller, id);
  const setting = await one<{ isOn: boolean }>(
    deps.pool,
    'select offline_start as "isOn" from tests where id = $1',
    [test.id],
  );
  if (!setting?.isOn) throw new Refusal('OFFLINE_START_OFF');
  if (groupId !== null) await requireCodeClass(deps.pool, { testId: test.id, groupId });
  await ensureCode(deps, { testId: test.id, groupId: null }, now);
  return { testId: test.id, groupId };
}

function registerStartCode(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, getStartCode, async ({ caller, params, query, now }) =>
    startCode(deps.pool, await codeOf(deps, caller, { ...params, ...query }, now)),
  );

  handle(
    app,
    deps,
    changeStartCode,
    async ({ caller, params, query, body, now }) => {
      const of = await codeOf(deps, caller, { ...params, ...query }, now);
      return setShowFrom(deps, of, body.showFrom === null ? null : new Date(body.showFrom));
    },
    { admit: ({ caller, params }) => taughtTest(deps.pool, caller, params.id) },
  );

  handle(app, deps, revealStartCode, async ({ caller, params, query, now }) => {
    const of = await codeOf(deps, caller, { ...params, ...query }, now);
    return showCode(deps, of, { actorId: caller.userId, at: now });
  });

  handle(app, deps, renewStartCode, async ({ caller, params, query, now }) => {
    const of = await codeOf(deps, caller, { ...params, ...query }, now);
    return renewCode(deps, of, { actorId: caller.userId, at: now });
  });
}

function registerClassCodes(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listCodeClasses, async ({ caller, params, now }) => {
    const { testId } = await codeOf(deps, caller, params, now);
    const items = await codeClasses(deps.pool, testId);
    return { items, total: items.length };
  });

  handle(app, deps, makeClassCode, async ({ caller, params, now }) => {
    const { testId } = await codeOf(deps, caller, params, now);
    const of = { testId, groupId: params.groupId };
    return addClassCode(deps, of, { actorId: caller.userId, at: now });
  });

  handle(app, deps, removeClassCode, async ({ caller, params, now }) => {
    const { testId } = await codeOf(deps, caller, params, now);
    const of = { testId, groupId: params.groupId };
    await deleteClassCode(deps, of, { actorId: caller.userId, at: now });
    return {};
  });
}

function registerHolds(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listHolds, async ({ caller, params, query }) =>
    heldBegins(deps.pool, await taughtTest(deps.pool, caller, params.id), query),
  );

  handle(
    app,
    deps,
    decideHolds,
    async ({ caller, params, body, now }) => {
      const test = await taughtTest(deps.pool, caller, params.id);
      return decideBegins(deps, test, body, { at: now, actorId: caller.userId });
    },
    { admit: ({ caller, params }) => taughtTest(deps.pool, caller, params.id) },
  );
}

function registerReadiness(app: FastifyInstance, deps: Deps): void {
  handle(
    app,
    deps,
    reportReadiness,
    async ({ caller, params, body, now }) => {
      await storeReadiness(deps, { caller, testId: params.id, report: body, now });
      return { reportedAt: now.toISOString() };
    },
    { admit: ({ caller, params, now }) => requireTaker(deps.pool, caller, params.id, now) },
  );

  handle(app, deps, listReadiness, async ({ caller, params }) => {
    await requireLevel(deps.pool, caller, params.id, 'results');
    const items = await readinessOf(deps.pool, params.id);
    return { items, total: items.length };
  });
}
