import { hash, randomInt } from 'node:crypto';
import type { PoolClient } from 'pg';
import { RECOVERY_CODE_LENGTH, RECOVERY_SIGNS } from '#contract/second-factor.ts';
import { execute } from '#server/db/query.ts';

const CODES = 10;
const GROUP = 4;

const hashCode = (code: string): Buffer => hash('sha256', code, 'buffer');

const createCode = (): string =>
  Array.from({ length: RECOVERY_CODE_LENGTH }, () =>
    RECOVERY_SIGNS.charAt(randomInt(RECOVERY_SIGNS.length)),
  ).join('');

/** In groups of four: `ABCD-EFGH-JKLM-…`. */
const writeCode = (code: string): string =>
  (code.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-');

/** Replaces the codes; they are stored only as hashes. */
export async function replaceRecoveryCodes(client: PoolClient, userId: string): Promise<string[]> {
  const codes = new Set<string>();
  while (codes.size < CODES) codes.add(createCode());
  await execute(client, 'delete from recovery_codes where user_id = $1', [userId]);
  await execute(
    client,
    'insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])',
    [userId, [...codes].map(hashCode)],
  );
  return [...codes].map(writeCode);
}

/** Uses a code up; false: there is no such code. */
export async function redeemRecoveryCode(
  client: PoolClient,
  userId: string,
  code: string,
): Promise<boolean> {
  const used = await execute(
    client,
    'delete from recovery_codes where user_id = $1 and code_hash = $2',
    [userId, hashCode(code)],
  );
  return used > 0;
}
