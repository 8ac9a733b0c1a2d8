import { randomInt } from 'node:crypto';
import { JOIN_CODE_LENGTH, JOIN_CODE_SIGNS } from '#domain/join-codes.ts';
import { one, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

const TRIES = 5;

/**
 * A code of 31 bits, one of 15⁸ ≈ 2.6 · 10⁹. A guess costs a hash, of which a server with two cores makes about
 * a hundred a second: with codes of 50 classes, one is found after six days of full load. All that is won is a
 * student's place in a class, where the teacher sees it. So wrong codes need not close an address to right
 * ones.
 */
export const newJoinCode = (): string =>
  Array.from({ length: JOIN_CODE_LENGTH }, () =>
    JOIN_CODE_SIGNS.charAt(randomInt(JOIN_CODE_SIGNS.length)),
  ).join('');

/** A code that no class has at this moment. */
export async function freeJoinCode(db: Client): Promise<string> {
  for (let n = 0; n < TRIES; n += 1) {
    const code = newJoinCode();
    if (!(await one(db, 'select 1 from groups where join_code = $1', [code]))) return code;
  }
  throw new Refusal('UNAVAILABLE');
}
