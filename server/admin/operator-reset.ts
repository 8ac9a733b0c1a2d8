import type { Pool } from 'pg';
import { ROLE } from '#contract/auth.ts';
import { speakablePassword } from '#server/auth/first-admin.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { hasFactor } from '#server/auth/second-factor/factors.ts';
import { codeOf, OperatorError } from '#server/db/operator-error.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { lockAccount } from './accounts.ts';
import { lockAdmins } from './admins.ts';
import { actOn, recordAct } from './audit.ts';
import { setPassword } from './change-account.ts';
import { removeAllFactors } from './second-factor.ts';

/** The result of the operator's command. */
export interface OperatorReset {
  readonly email: string;
  /** Not stored anywhere. */
  readonly password: string;
  readonly isAdmin: boolean;
  readonly isUnblocked: boolean;
  readonly factors: 'none' | 'removed' | 'stay';
}

const UNDEFINED = new Set(['42P01', '42703']);

/**
 * @throws {OperatorError} also when no server of this version has used the database
 */
async function findAccount(pool: Pool, email: string): Promise<string> {
  try {
    const found = await one<{ id: string }>(
      pool,
      'select id from users where lower(email) = lower($1) and erased_at is null',
      [email],
    );
    if (found) return found.id;
  } catch (error) {
    if (!UNDEFINED.has(codeOf(error) ?? '')) throw error;
    throw new OperatorError(
      'В этой базе данных нет таблиц программы или они старше её. Сначала запустите сервер.',
      { cause: error },
    );
  }
  throw new OperatorError(
    `Учётной записи с почтой ${email} нет. Проверьте почту и то, та ли это база данных (DATA_DIR, DATABASE_URL).`,
  );
}

function refuseBlocked(email: string, isAdmin: boolean, mayUnblock: boolean): void {
  if (!isAdmin)
    throw new OperatorError(
      `Учётная запись ${email} заблокирована. Ничего не изменено. Её разблокирует администратор: «Пользователи», меню у имени.`,
    );
  if (!mayUnblock)
    throw new OperatorError(
      `Администратор ${email} заблокирован: новый пароль его не впустит. Ничего не изменено. Сбросить пароль и разблокировать: npm run reset-password -- ${email} --unblock`,
    );
}

/**
 * Generates a password for an account and ends its sign-ins, for an operator without an administrator's account. A
 * block stays, unless the account is an administrator's and the operator unblocks it. Second factors stay unless the
 * operator removes them.
 * @throws {OperatorError} no such account, a blocked one
 */
export async function resetByOperator(
  deps: Pick<Deps, 'pool' | 'newId'>,
  {
    email,
    mayUnblock,
    removesFactors,
    now,
  }: { email: string; mayUnblock: boolean; removesFactors: boolean; now: Date },
): Promise<OperatorReset> {
  const userId = await findAccount(deps.pool, email);
  const password = speakablePassword();
  const passwordHash = await hashPassword(password);
  return transaction(deps.pool, async (client) => {
    await lockAdmins(client);
    const account = await lockAccount(client, userId);
    const isAdmin = account.role === ROLE.admin;
    if (account.isBlocked) refuseBlocked(account.email, isAdmin, mayUnblock);
    await setPassword(client, deps, account, { passwordHash, actorId: null, now });
    const areRemoved =
      removesFactors && (await removeAllFactors(client, deps, { userId, actorId: null, now }));
    const remain = await hasFactor(client, { userId, role: account.role });
    if (account.isBlocked) {
      await execute(client, 'update users set blocked_at = null where id = $1', [userId]);
      const act = actOn('user', userId, { actorId: null, act: 'userUnblocked' });
      await recordAct(client, deps, act, now);
    }
    return {
      email: account.email,
      password,
      isAdmin,
      isUnblocked: account.isBlocked,
      factors: areRemoved ? 'removed' : remain ? 'stay' : 'none',
    };
  });
}
