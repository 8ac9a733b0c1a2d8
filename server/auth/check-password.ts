import type { Pool } from 'pg';
import { Refusal } from '#server/http/refusal.ts';
import { countFailure, forgiveOrigin, type Guess, requireTriesLeft } from './failures.ts';
import type { QueuePosition } from './fair-queue.ts';
import { inTurn, verifyPassword } from './passwords.ts';

interface PasswordTry {
  readonly guess: Guess;
  /** Its position in the hash queue. */
  readonly place: QueuePosition;
  readonly password: string;
  readonly now: Date;
  /** The caller disconnected: nobody will read the reply. */
  readonly isGone: () => boolean;
}

/**
 * Verifies a password in its turn, within the limits, and counts a wrong one. Limits are checked in turn too, so that
 * of parallel guesses few are verified before the limit applies.
 * @param find reads the account when its turn comes; null: there is none
 * @returns the account with this password; null: a wrong one
 * @throws {Refusal} TOO_MANY_LOGINS; UNAVAILABLE when the queue is full or the caller disconnected in it
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
