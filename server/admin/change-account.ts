import type { PoolClient } from 'pg';
import type { UserChanges } from '#contract/admin.ts';
import type { InferOutput } from 'valibot';
import { forgiveAccount } from '#server/auth/failures.ts';
import { liftFactorStop } from '#server/auth/second-factor/failures.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { studentPassword } from '#server/groups/student-password.ts';
import { Refusal } from '#server/http/refusal.ts';
import { lockAccount, type AccountRow } from './accounts.ts';
import { lockAdmins, requireMayTake, requireStillAdmin } from './admins.ts';
import { type Act, actOn, recordAct } from './audit.ts';

/** The caller and the changed account of an act, and its time. */
export interface AccountChange {
  readonly actorId: string;
  readonly userId: string;
  readonly now: Date;
}

const emailInUse = () =>
  new Refusal('EMAIL_TAKEN', {
    details: { fields: [{ field: 'email', message: 'Эта почта уже зарегистрирована' }] },
  });

export interface NewAccount {
  readonly id: string;
  readonly userName: string;
  readonly email: string;
  readonly role: number;
  /** Null: one is generated. */
  readonly password: string | null;
}

/**
 * Creates one account.
 * @returns the generated password, which is not stored; null: it was given
 * @throws {Refusal} EMAIL_TAKEN, FORBIDDEN
 */
export async function createAccount(
  deps: Deps,
  account: NewAccount,
  { actorId, now }: Omit<AccountChange, 'userId'>,
): Promise<string | null> {
  const password = account.password ?? studentPassword();
  const passwordHash = await hashPassword(password);
  await transaction(deps.pool, async (client) => {
    await requireStillAdmin(client, actorId);
    const made = await execute(
      client,
      `insert into users (id, email, user_name, role, password_hash, created_at)
       values ($1, $2, $3, $4, $5, $6) on conflict (lower(email)) do nothing`,
      [account.id, account.email, account.userName, account.role, passwordHash, now],
    );
    if (made === 0) throw emailInUse();
    const act = { actorId, act: 'userCreated', details: { role: account.role } } as const;
    await recordAct(client, deps, actOn('user', account.id, act), now);
  });
  return account.password === null ? password : null;
}

type Changes = InferOutput<typeof UserChanges>;

/** Stores a name and an e-mail. Unchanged values are not logged. */
async function changeName(
  client: PoolClient,
  deps: Deps,
  account: AccountRow,
  changes: Changes,
  { actorId, now }: AccountChange,
): Promise<void> {
  const userName = changes.userName ?? account.userName;
  const email = changes.email?.toLowerCase() ?? account.email;
  const changed = [
    ...(userName === account.userName ? [] : ['name']),
    ...(email === account.email ? [] : ['email']),
  ];
  if (changed.length === 0) return;
  await execute(client, 'update users set user_name = $2, email = $3 where id = $1', [
    account.id,
    userName,
    email,
  ]);
  const act = { actorId, act: 'userChanged', details: { fields: changed.join(', ') } } as const;
  await recordAct(client, deps, actOn('user', account.id, act), now);
}

const UNIQUE_VIOLATION = '23505';

/**
 * Changes an account. A new role applies from the next request on: sign-ins read it each time.
 * @throws {Refusal} FORBIDDEN, NOT_FOUND, EMAIL_TAKEN, LAST_ADMIN, OWN_ACCOUNT
 */
export async function changeAccount(
  deps: Deps,
  changes: Changes,
  doing: AccountChange,
): Promise<void> {
  const { actorId, userId, now } = doing;
  try {
    await transaction(deps.pool, async (client) => {
      const admins = await requireStillAdmin(client, actorId);
      const account = await lockAccount(client, userId);
      const { role = account.role } = changes;
      if (role !== account.role) {
        requireMayTake(admins, { userId: actorId }, userId);
        await execute(client, 'update users set role = $2 where id = $1', [userId, role]);
        const details = { from: account.role, to: role };
        const act = actOn('user', userId, { actorId, act: 'roleChanged', details });
        await recordAct(client, deps, act, now);
      }
      await changeName(client, deps, account, changes, doing);
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) throw emailInUse();
    throw error;
  }
}

/**
 * Blocks or unblocks an account. Applies from the next request on, and ends open streams. Its sign-ins end permanently:
 * during the block they get ACCOUNT_BLOCKED, and afterwards they are invalid.
 * @throws {Refusal} NOT_FOUND, LAST_ADMIN, OWN_ACCOUNT
 */
export async function setBlocked(
  deps: Deps,
  isBlocked: boolean,
  doing: AccountChange,
): Promise<void> {
  const { actorId, userId, now } = doing;
  await transaction(deps.pool, async (client) => {
    const admins = await lockAdmins(client);
    const account = await lockAccount(client, userId);
    if (account.isBlocked === isBlocked) return;
    requireMayTake(admins, { userId: actorId }, userId);
    await execute(client, 'update users set blocked_at = $2 where id = $1', [
      userId,
      isBlocked ? now : null,
    ]);
    if (!isBlocked) await execute(client, 'delete from sessions where user_id = $1', [userId]);
    const act = isBlocked ? 'userBlocked' : 'userUnblocked';
    await recordAct(client, deps, actOn('user', userId, { actorId, act }), now);
  });
}

/** Stores a new password, ends all sign-ins of the account and resets its counts of failures, codes included. */
export async function setPassword(
  client: PoolClient,
  deps: Pick<Deps, 'newId'>,
  { id, email }: AccountRow,
  { passwordHash, actorId, now }: Pick<Act, 'actorId'> & { passwordHash: string; now: Date },
): Promise<void> {
  await execute(client, 'update users set password_hash = $2 where id = $1', [id, passwordHash]);
  await execute(client, 'delete from sessions where user_id = $1', [id]);
  await forgiveAccount(client, email.toLowerCase());
  // The person who tried codes knew the former password.
  await liftFactorStop(client, id);
  await recordAct(client, deps, actOn('user', id, { actorId, act: 'passwordReset' }), now);
}

/**
 * Generates a password for an account and ends all its sign-ins.
 * @returns the password, which is not stored
 * @throws {Refusal} FORBIDDEN, NOT_FOUND, OWN_ACCOUNT
 */
export async function resetPassword(deps: Deps, doing: AccountChange): Promise<string> {
  const { actorId, userId, now } = doing;
  if (actorId === userId) throw new Refusal('OWN_ACCOUNT');
  const known = await one(deps.pool, 'select 1 from users where id = $1 and erased_at is null', [
    userId,
  ]);
  if (!known) throw new Refusal('NOT_FOUND');
  const password = studentPassword();
  const passwordHash = await hashPassword(password);
  await transaction(deps.pool, async (client) => {
    await requireStillAdmin(client, actorId);
    const account = await lockAccount(client, userId);
    await setPassword(client, deps, account, { passwordHash, actorId, now });
  });
  return password;
}
