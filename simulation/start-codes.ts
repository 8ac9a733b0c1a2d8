import { hashRaw } from '@node-rs/argon2';
import { JOIN_CODE_SIGNS } from '#domain/join-codes.ts';
import { START_CODE_LENGTH } from '#domain/start-code.ts';
import { execute } from '#server/db/query.ts';
import type { Random } from './random.ts';
import type { SimulatedServer } from './server.ts';

/**
 * The least cost of Argon2id, in place of the server's: the price of a guess is measured elsewhere, and would be three
 * quarters of a run.
 */
export const CODE_COST = { memoryKib: 8, passes: 1 } as const;

const KEY_BYTES = 32;

/** A code as a student might guess it. */
export const someCode = (random: Random): string =>
  Array.from({ length: START_CODE_LENGTH }, () =>
    JOIN_CODE_SIGNS.charAt(random.int(JOIN_CODE_SIGNS.length)),
  ).join('');

/** Puts a code of the run in the place of the server's random one, or makes the first one. */
export async function setStartCode(
  { pool, deps }: Pick<SimulatedServer, 'pool' | 'deps'>,
  testId: string,
  random: Random,
  now: Date,
): Promise<string> {
  const code = someCode(random);
  const salt = Buffer.from(random.bytes(16));
  const { memoryKib: memoryCost, passes: timeCost } = CODE_COST;
  const cost = { memoryCost, timeCost, parallelism: 1, outputLen: KEY_BYTES };
  const key = await hashRaw(code, { ...cost, salt });
  await execute(
    pool,
    `insert into start_codes (id, test_id, code, salt, code_key, version, created_at, made_at)
     values ($6, $1, $2, $3, $4, 1, $5, $5)
     on conflict (test_id, group_id) do update set code = $2, salt = $3, code_key = $4`,
    [testId, code, salt, key, now, deps.newId()],
  );
  return code;
}
