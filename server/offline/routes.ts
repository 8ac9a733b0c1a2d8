import type { FastifyInstance } from 'fastify';
import {
  changeStartCode,
  decideHolds,
  getOfferFile,
  getStartCode,
  listHolds,
  makeOffer,
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
import { decideBegins, heldBegins } from './holds.ts';
import { makeOfferFor } from './make-offer.ts';
import { encryptedFile } from './offer-files.ts';
import { readinessOf, requireTaker, storeReadiness } from './readiness.ts';
import { ensureCode, renewCode, setShowFrom, showCode, startCode } from './start-code.ts';

export function registerOffline(app: FastifyInstance, deps: Deps): void {
  registerOffers(app, deps);
  registerStartCode(app, deps);
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

/** The code's test, for a caller who may grade it, with a code. */
async function codedTest(
  deps: Deps,
  caller: AuthenticatedUser,
  id: string,
  now: Date,
): Promise<string> {
  const test = await taughtTest(deps.pool, caller, id);
  const setting = await one<{ isOn: boolean }>(
    deps.pool,
    'select offline_start as "isOn" from tests where id = $1',
    [test.id],
  );
  if (!setting?.isOn) throw new Refusal('OFFLINE_START_OFF');
  await ensureCode(deps, test.id, now);
  return test.id;
}

function registerStartCode(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, getStartCode, async ({ caller, params, now }) =>
    startCode(deps.pool, await codedTest(deps, caller, params.id, now)),
  );

  handle(
    app,
    deps,
    changeStartCode,
    async ({ caller, params, body, now }) => {
      const testId = await codedTest(deps, caller, params.id, now);
      return setShowFrom(deps, testId, body.showFrom === null ? null : new Date(body.showFrom));
    },
    { admit: ({ caller, params }) => taughtTest(deps.pool, caller, params.id) },
  );

  handle(app, deps, revealStartCode, async ({ caller, params, now }) => {
    const testId = await codedTest(deps, caller, params.id, now);
    return showCode(deps, testId, { actorId: caller.userId, at: now });
  });

  handle(app, deps, renewStartCode, async ({ caller, params, now }) => {
    const testId = await codedTest(deps, caller, params.id, now);
    return renewCode(deps, testId, { actorId: caller.userId, at: now });
  });
}

function registerHolds(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listHolds, async ({ caller, params }) =>
    heldBegins(deps.pool, await taughtTest(deps.pool, caller, params.id)),
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
