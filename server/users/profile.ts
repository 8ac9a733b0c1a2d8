import type { FastifyInstance } from 'fastify';
import {
  updateProfile,
  changePassword,
  listSessions,
  endSession,
  endOtherSessions,
  exportOwnData,
  eraseOwnAccount,
} from '#contract/profile.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import { requireConfirmation } from '#server/auth/caller.ts';
import { spendOwnAct } from '#server/auth/act-limits.ts';
import { refuseCommonPassword } from '#server/auth/common-passwords.ts';
import { requireOwnPassword } from '#server/auth/own-password.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { hasFactor } from '#server/auth/second-factor/factors.ts';
import { liftFactorStop } from '#server/auth/second-factor/failures.ts';
import { execute, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { invalid, Refusal } from '#server/http/refusal.ts';
import { erasePerson } from './erase.ts';
import { exportPerson } from './export.ts';
import { endOthers, ownSessions } from './own-sessions.ts';
import { renameOneself } from './rename.ts';

export function registerProfile(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, updateProfile, async ({ caller, body, now }) =>
    renameOneself(deps, caller, body.userName, now),
  );

  handle(app, deps, changePassword, async (call) => {
    const { caller, body, now } = call;
    const { currentPassword, newPassword } = body;
    if (newPassword === currentPassword)
      throw invalid([{ field: 'newPassword', message: 'Новый пароль такой же, как нынешний' }]);
    refuseCommonPassword(deps, { ...caller, password: newPassword, field: 'newPassword' });
    const proof = { password: currentPassword, field: 'currentPassword' };
    const oldHash = await requireOwnPassword(deps, call, proof);
    const newHash = await hashPassword(newPassword);
    return transaction(pool, async (client) => {
      const changed = await execute(
        client,
        'update users set password_hash = $2 where id = $1 and password_hash = $3',
        [caller.userId, newHash, oldHash],
      );
      // Meanwhile somebody else changed it.
      if (changed === 0) throw new Refusal('WRONG_PASSWORD');
      await spendOwnAct(client, 'password', caller.userId, now);
      // The person who tried codes of the second step knew the former password.
      await liftFactorStop(client, caller.userId);
      const act = { actorId: caller.userId, act: 'passwordChanged' } as const;
      await recordAct(client, deps, actOn('user', caller.userId, act), now);
      return { endedSessions: await endOthers(client, caller, now) };
    });
  });

  handle(app, deps, listSessions, async ({ caller, now }) => {
    const items = await ownSessions(pool, caller, now);
    return { items, total: items.length };
  });

  handle(app, deps, endSession, async ({ caller, params }) => {
    const ended = await execute(pool, 'delete from sessions where id = $1 and user_id = $2', [
      params.sessionId,
      caller.userId,
    ]);
    if (ended === 0) throw new Refusal('NOT_FOUND');
    return {};
  });

  handle(app, deps, endOtherSessions, async ({ caller, now }) => ({
    endedSessions: await transaction(pool, (client) => endOthers(client, caller, now)),
  }));

  handle(app, deps, exportOwnData, async ({ caller, now }) =>
    exportPerson({ deps, userId: caller.userId, caller, now }),
  );
  handle(app, deps, eraseOwnAccount, async (call) => {
    const { body, now } = call;
    const { userId } = call.caller;
    if (await hasFactor(pool, call.caller)) requireConfirmation(call.caller, now);
    await requireOwnPassword(deps, call, { password: body.password, field: 'password' });
    await erasePerson(
      deps,
      { actorId: userId, userId, now },
      { as: 'oneself', teaching: 'erased' },
    );
    return {};
  });
}
