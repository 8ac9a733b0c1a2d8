import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import {
  getFactorRequirements,
  liftCodesStop,
  removeUserFactors,
  setFactorRequirements,
} from '#contract/second-factor.ts';
import {
  readRequirements,
  removeFactors,
  writeRequirements,
} from '#server/auth/second-factor/factors.ts';
import { liftFactorStop } from '#server/auth/second-factor/failures.ts';
import { execute, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { lockAccount } from './accounts.ts';
import { requireStillAdmin } from './admins.ts';
import { actOn, recordAct } from './audit.ts';

/** Removes the factors of a locked account and ends its sign-ins; false: it had none. */
export async function removeAllFactors(
  client: PoolClient,
  deps: Pick<Deps, 'newId'>,
  { userId, actorId, now }: { userId: string; actorId: string | null; now: Date },
): Promise<boolean> {
  if (!(await removeFactors(client, userId))) return false;
  await execute(client, 'delete from sessions where user_id = $1', [userId]);
  await recordAct(client, deps, actOn('user', userId, { actorId, act: 'factorsRemoved' }), now);
  return true;
}

export function registerFactorAdministration(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, getFactorRequirements, async () => readRequirements(pool));

  handle(app, deps, setFactorRequirements, async ({ caller, body, now }) =>
    transaction(pool, async (client) => {
      await requireStillAdmin(client, caller.userId);
      for (const { role, isRequired } of await writeRequirements(client, body, now)) {
        const act = isRequired ? 'factorRequired' : 'factorOptional';
        await recordAct(client, deps, { actorId: caller.userId, act, details: { role } }, now);
      }
      return body;
    }),
  );

  handle(app, deps, liftCodesStop, async ({ caller, params: { userId }, now }) => {
    if (caller.userId === userId) throw new Refusal('OWN_ACCOUNT');
    await transaction(pool, async (client) => {
      await lockAccount(client, userId);
      if (!(await liftFactorStop(client, userId))) return;
      const act = { actorId: caller.userId, act: 'factorStopLifted' } as const;
      await recordAct(client, deps, actOn('user', userId, act), now);
    });
    return {};
  });

  handle(app, deps, removeUserFactors, async ({ caller, params: { userId }, now }) => {
    if (caller.userId === userId) throw new Refusal('OWN_ACCOUNT');
    await transaction(pool, async (client) => {
      await requireStillAdmin(client, caller.userId);
      await lockAccount(client, userId);
      await removeAllFactors(client, deps, { userId, actorId: caller.userId, now });
    });
    return {};
  });
}
