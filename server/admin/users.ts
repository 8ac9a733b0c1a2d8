import type { FastifyInstance } from 'fastify';
import {
  listAdminUsers,
  createUser,
  updateUser,
  setUserBlocked,
  resetUserPassword,
  exportUserData,
  eraseUser,
} from '#contract/admin.ts';
import { ROLE } from '#contract/auth.ts';
import { requireConfirmation } from '#server/auth/caller.ts';
import { refuseCommonPassword } from '#server/auth/common-passwords.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { erasePerson } from '#server/users/erase.ts';
import { exportPerson } from '#server/users/export.ts';
import { adminUser, listAccounts } from './accounts.ts';
import { changeAccount, createAccount, resetPassword, setBlocked } from './change-account.ts';

export function registerAdminUsers(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps;

  handle(app, deps, listAdminUsers, async ({ query, now }) => listAccounts(pool, query, now));

  handle(app, deps, createUser, async ({ caller, body, now }) => {
    const { password: own } = body;
    if (own !== undefined)
      refuseCommonPassword(deps, { ...body, password: own, field: 'password' });
    // A new teacher or administrator has rights before they can be revoked.
    if (body.role !== ROLE.student) requireConfirmation(caller, now);
    const account = {
      id: deps.newId(),
      userName: body.userName,
      email: body.email.toLowerCase(),
      role: body.role,
      password: body.password ?? null,
    };
    const password = await createAccount(deps, account, { actorId: caller.userId, now });
    return { user: await adminUser(pool, account.id, now), password };
  });

  handle(app, deps, updateUser, async ({ caller, params: { userId }, body, now }) => {
    // The owner of the e-mail address can sign in.
    if (body.role !== undefined || body.email !== undefined) requireConfirmation(caller, now);
    await changeAccount(deps, body, { actorId: caller.userId, userId, now });
    return adminUser(pool, userId, now);
  });

  handle(app, deps, setUserBlocked, async ({ caller, params: { userId }, body, now }) => {
    await setBlocked(deps, body.isBlocked, { actorId: caller.userId, userId, now });
    return adminUser(pool, userId, now);
  });

  handle(app, deps, resetUserPassword, async ({ caller, params: { userId }, now }) => ({
    password: await resetPassword(deps, { actorId: caller.userId, userId, now }),
  }));

  handle(app, deps, exportUserData, async ({ caller, params: { userId }, now }) =>
    exportPerson({ deps, userId, caller, now }),
  );
  handle(app, deps, eraseUser, async ({ caller, params: { userId }, query, now }) => {
    const { successorId, archive } = query;
    const teaching =
      successorId === undefined ? (archive === '1' ? 'archived' : 'erased') : { successorId };
    await erasePerson(deps, { actorId: caller.userId, userId, now }, { as: 'admin', teaching });
    return {};
  });
}
