import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { ROLE, currentUser, login, logout, register } from '#contract/auth.ts';
import { ERRORS } from '#contract/errors.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { groupByCode, joinByCode } from '#server/groups/joining.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal, invalid } from '#server/http/refusal.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import {
  countAddressFailure,
  countFailure,
  forgiveAccount,
  requireQuietAddress,
  requireTriesLeft,
} from './failures.ts';
import { hashPassword, inTurn, verifyPassword } from './passwords.ts';
import { type UserRow, closeSession, openSession, wireUser } from './sessions.ts';

interface AccountRow extends UserRow {
  password_hash: string;
  blocked_at: Date | null;
}

const findAccount = {
  name: 'find-account',
  text: `select id, email, user_name, role, password_hash, blocked_at
           from users where lower(email) = $1 and erased_at is null`,
};

const holdPassword = {
  name: 'hold-password',
  text: 'select 1 from users where id = $1 and password_hash = $2 for share',
};

const insertAccount = `
  insert into users (id, email, user_name, role, password_hash, created_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (lower(email)) do nothing`;

/** A refusal that the form shows at its field «Код класса». */
const atJoinCode = (code: 'WRONG_JOIN_CODE' | 'GROUP_FULL') =>
  new Refusal(code, {
    details: { fields: [{ field: 'joinCode', message: ERRORS[code].message }] },
  });

/** Joins a class with an account of this transaction. A refusal takes the account back. */
async function joinNew(client: PoolClient, join: Parameters<typeof joinByCode>[1]): Promise<void> {
  try {
    await joinByCode(client, join);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw atJoinCode(error.code === 'GROUP_FULL' ? 'GROUP_FULL' : 'WRONG_JOIN_CODE');
  }
}

export function registerAuth(app: FastifyInstance, deps: Deps): void {
  const { pool, settings } = deps;

  handle(app, deps, login, async ({ body, headers, address, now, isGone }) => {
    const email = body.email.toLowerCase();
    // Limits are looked at in turn too: of parallel guesses few are judged before the limit is known.
    const account = await inTurn(async () => {
      if (isGone()) throw new Refusal('UNAVAILABLE');
      const hasFailures = await requireTriesLeft(pool, email, address, now);
      const found = await one<AccountRow>(pool, findAccount, [email]);
      if (!(await verifyPassword(found?.password_hash, body.password)) || !found) {
        await countFailure(pool, email, address, now);
        throw new Refusal('BAD_CREDENTIALS');
      }
      if (hasFailures) await forgiveAccount(pool, email);
      return found;
    });
    if (account.blocked_at) throw new Refusal('ACCOUNT_BLOCKED');
    return transaction(pool, async (client) => {
      // Whoever gave the account another password meanwhile has ended its sign-ins, this one too.
      const values = [account.id, account.password_hash];
      if (!(await one(client, holdPassword, values))) throw new Refusal('BAD_CREDENTIALS');
      return openSession(client, account, now, settings.sessionDays, headers['user-agent']);
    });
  });

  handle(app, deps, register, async ({ body, headers, address, now }) => {
    if (settings.registration === 'closed') throw new Refusal('REGISTRATION_CLOSED');
    if (settings.registration === 'code' && !body.joinCode)
      throw invalid([{ field: 'joinCode', message: 'Введите код класса' }]);
    refuseCommonPassword(body.password, 'password');
    await requireQuietAddress(pool, address, now);
    const group = body.joinCode ? await groupByCode(pool, body.joinCode) : null;
    if (body.joinCode && !group) {
      await countAddressFailure(pool, address, now);
      throw atJoinCode('WRONG_JOIN_CODE');
    }
    const user: UserRow = {
      id: deps.newId(),
      email: body.email.toLowerCase(),
      user_name: body.userName,
      role: ROLE.student,
    };
    const passwordHash = await hashPassword(body.password);
    const values = [user.id, user.email, user.user_name, user.role, passwordHash, now];
    const made = await transaction(pool, async (client) => {
      if ((await execute(client, insertAccount, values)) === 0) return false;
      if (group && body.joinCode)
        await joinNew(client, { groupId: group.id, code: body.joinCode, userId: user.id, now });
      return true;
    });
    if (!made) {
      await countAddressFailure(pool, address, now);
      throw new Refusal('EMAIL_TAKEN', {
        details: { fields: [{ field: 'email', message: 'Эта почта уже зарегистрирована' }] },
      });
    }
    return openSession(pool, user, now, settings.sessionDays, headers['user-agent']);
  });

  handle(app, deps, logout, async ({ caller }) => {
    await closeSession(pool, caller.tokenHash);
    return {};
  });

  handle(app, deps, currentUser, async ({ caller }) => ({
    user: wireUser({
      id: caller.userId,
      email: caller.email,
      user_name: caller.userName,
      role: caller.role,
    }),
    expiresAt: caller.expiresAt.toISOString(),
  }));
}
