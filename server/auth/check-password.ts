import type { Pool } from 'pg';
import { Refusal } from '#server/http/refusal.ts';
import { countFailure, forgiveOrigin, type Guess, requireTriesLeft } from './failures.ts';
import type { Place } from './fair-queue.ts';
import { inTurn, verifyPassword } from './passwords.ts';

interface PasswordTry {
  readonly guess: Guess;
  /** Where it waits in the queue of hashes. */
  readonly place: Place;
  readonly password: string;
  readonly now: Date;
  /** The caller hung up: nobody will read the reply. */
  readonly isGone: () => boolean;
}

/**
 * Judges a password in its turn, within the limits, and counts a wrong one. Limits are looked at in turn
 * too: of parallel guesses few are judged before the limit is known.
 * @param find the account as it is when its turn comes; null: there is none
 * @returns the account whose password it is; null: a wrong one
 * @throws {Refusal} TOO_MANY_LOGINS; UNAVAILABLE when the queue is full or the caller hung up in it
 */
export async function checkPassword<Account extends { readonly password_hash: string }>(
  pool: Pool,
  { guess, place, password, now, isGone }: PasswordTry,
  find: () => Promise<Account | null>,
): Promise<Account | null> {
  return inTurn(place, async () => {
    if (isGone()) throw new Refusal('UNAVAILABLE');
    const left = await requireTriesLeft(pool, guess, now);
    const account = await find();
    const isRight = await verifyPassword(account?.password_hash, password);
    await (isRight ? forgiveOrigin(pool, left) : countFailure(pool, left, now));
    return isRight ? account : null;
  });
}
