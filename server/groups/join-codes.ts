import { randomInt } from 'node:crypto';
import { JOIN_CODE_LENGTH, JOIN_CODE_SIGNS } from '#domain/join-codes.ts';
import { one, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

const TRIES = 5;

/**
 * A code of 31 bits, one of 15⁸ ≈ 2.6 · 10⁹. A guess costs a hash, and a server with two cores computes about a hundred
 * a second: with codes of 50 classes, a guesser needs six days of full load to find one. The only gain is a student's
 * place in a class, which the teacher sees. So wrong codes need not block right ones from the same address.
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
