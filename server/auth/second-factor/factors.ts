import type { PoolClient } from 'pg';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import type { FactorRequirements, SecondFactor } from '#contract/second-factor.ts';
import { type Client, execute, one, rows } from '#server/db/query.ts';

/** SQL condition: whether a person has a second factor, given the expression of the id. */
export const hasFactorSql = (userId: string): string =>
  `(exists (select 1 from totp_secrets t where t.user_id = ${userId})
    or exists (select 1 from passkeys p where p.user_id = ${userId}))`;

/** Students have none, whatever was set up under an earlier role. */
export async function hasFactor(
  client: Client,
  { userId, role }: { userId: string; role: RoleNumber },
): Promise<boolean> {
  if (role === ROLE.student) return false;
  const found = await one<{ has: boolean }>(client, `select ${hasFactorSql('$1')} as has`, [
    userId,
  ]);
  return found?.has === true;
}

const findDue = {
  name: 'find-due-factor',
  text: `select exists (select 1 from factor_requirements r where r.role = $2)
           and not ${hasFactorSql('$1')} as must`,
};

/** Whether a person must set one up first. Students never: they are not looked up, so that a save costs nothing. */
export async function mustSetUpFactor(
  client: Client,
  { userId, role }: { userId: string; role: RoleNumber },
): Promise<boolean> {
  if (role === ROLE.student) return false;
  const found = await one<{ must: boolean }>(client, findDue, [userId, role]);
  return found?.must === true;
}

const REQUIRED_ROLES = { teacher: ROLE.teacher, admin: ROLE.admin } as const;

export async function readRequirements(client: Client): Promise<FactorRequirements> {
  const found = await rows<{ role: number }>(client, 'select role from factor_requirements');
  const required = new Set(found.map(({ role }) => role));
  return { teacher: required.has(ROLE.teacher), admin: required.has(ROLE.admin) };
}

/** Stores which roles require a factor; returns the roles that changed, with their new value. */
export async function writeRequirements(
  client: PoolClient,
  wanted: FactorRequirements,
  now: Date,
): Promise<{ role: RoleNumber; isRequired: boolean }[]> {
  // Concurrent changes of two administrators are serialized.
  await execute(client, 'lock table factor_requirements in share row exclusive mode');
  const before = await readRequirements(client);
  const changed = (['teacher', 'admin'] as const).filter((name) => before[name] !== wanted[name]);
  for (const name of changed)
    await (wanted[name]
      ? execute(client, 'insert into factor_requirements (role, required_at) values ($1, $2)', [
          REQUIRED_ROLES[name],
          now,
        ])
      : execute(client, 'delete from factor_requirements where role = $1', [REQUIRED_ROLES[name]]));
  return changed.map((name) => ({ role: REQUIRED_ROLES[name], isRequired: wanted[name] }));
}

interface UsedRow {
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const used = ({ createdAt, lastUsedAt }: UsedRow) => ({
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** A person's factors as shown to their owner. */
export async function readSecondFactor(
  client: Client,
  { userId, role }: { userId: string; role: RoleNumber },
): Promise<SecondFactor> {
  const totp = await one<UsedRow & Record<string, unknown>>(
    client,
    `select created_at as "createdAt", last_used_at as "lastUsedAt"
     from totp_secrets where user_id = $1`,
    [userId],
  );
  const passkeys = await rows<UsedRow & { id: string; name: string }>(
    client,
    `select id, name, created_at as "createdAt", last_used_at as "lastUsedAt"
     from passkeys where user_id = $1 order by created_at, id`,
    [userId],
  );
  const codes = await one<{ left: number }>(
    client,
    'select count(*) as left from recovery_codes where user_id = $1',
    [userId],
  );
  const requirements = await readRequirements(client);
  return {
    isRequired:
      (role === ROLE.admin && requirements.admin) ||
      (role === ROLE.teacher && requirements.teacher),
    totp: totp && used(totp),
    passkeys: passkeys.map(({ id, name, ...row }) => ({ id, name, ...used(row) })),
    recoveryCodesLeft: codes?.left ?? 0,
  };
}

/** Removes all data that a second step of the person could use. */
export async function removeFactors(client: PoolClient, userId: string): Promise<boolean> {
  let had = 0;
  for (const table of ['passkeys', 'totp_secrets', 'recovery_codes'])
    had += await execute(client, `delete from ${table} where user_id = $1`, [userId]);
  for (const table of ['factor_challenges', 'factor_failures'])
    await execute(client, `delete from ${table} where user_id = $1`, [userId]);
  return had > 0;
}
