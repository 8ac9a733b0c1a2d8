import type { FactorMethod } from '#contract/second-factor.ts';
import { hashToken } from '#server/auth/caller.ts';
import { type Client, execute, one } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

const WINDOW_MS = 15 * 60_000;
export const FACTOR_TRIES = 10;
/**
 * Number of wrong codes until codes are refused permanently. A guesser knows the password, and has a hundred of a
 * million codes. The owner's mistakes are reset by the right proof in the same step.
 */
export const MAX_WRONG_CODES = 100;

/** SQL condition: whether codes of a person are refused for good, given the expression of the id. */
export const areCodesStoppedSql = (userId: string): string =>
  `exists (select 1 from factor_failures f where f.user_id = ${userId} and f.total > ${MAX_WRONG_CODES})`;

interface Tries {
  readonly failures: number;
  readonly windowStart: Date;
  readonly total: number;
}

// A try beyond the window is not verified, and not counted in the total.
const countTry = `
  insert into factor_failures as f (user_id, window_start, failures, total) values ($1, $2, 1, 1)
  on conflict (user_id) do update set
    failures = case when f.window_start <= $3 then 1 else f.failures + 1 end,
    window_start = case when f.window_start <= $3 then $2 else f.window_start end,
    total = least(
      f.total + case when f.window_start <= $3 or f.failures < ${FACTOR_TRIES} then 1 else 0 end,
      ${MAX_WRONG_CODES} + 1)
  returning failures, window_start as "windowStart", total`;

/**
 * Counts a try of a code before it is checked, so that parallel guesses cannot exceed the limits. Passkeys and recovery
 * codes cannot be guessed and are not counted: their owner can sign in while somebody who knows the password tries
 * codes, and after codes are stopped.
 * @param challenge the step of the try
 * @throws {Refusal} TOO_MANY_LOGINS, FACTOR_CODES_STOPPED
 */
export async function spendFactorTry(
  client: Client,
  {
    userId,
    challenge,
    method,
    now,
  }: { userId: string; challenge: string; method: FactorMethod; now: Date },
): Promise<void> {
  if (method !== 'totp') return;
  const counted = await one<Tries & Record<string, unknown>>(client, countTry, [
    userId,
    now,
    new Date(now.getTime() - WINDOW_MS),
  ]);
  if (!counted) return;
  if (counted.total > MAX_WRONG_CODES) throw new Refusal('FACTOR_CODES_STOPPED');
  if (counted.failures > FACTOR_TRIES) {
    const leftMs = counted.windowStart.getTime() + WINDOW_MS - now.getTime();
    throw new Refusal('TOO_MANY_LOGINS', {
      retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    });
  }
  await execute(client, 'update factor_challenges set tries = tries + 1 where id_hash = $1', [
    hashToken(challenge),
  ]);
}

/**
 * A right proof ends the window, and resets the codes tried in its own step; those of a guesser stay counted. It does
 * not lift a stop.
 */
export async function forgiveFactorTries(
  client: Client,
  { userId, tries }: { readonly userId: string; readonly tries: number },
): Promise<void> {
  await execute(
    client,
    `update factor_failures set failures = 0,
       total = case when total > ${MAX_WRONG_CODES} then total else greatest(0, total - $2) end
     where user_id = $1`,
    [userId, tries],
  );
}

/** Allows codes again: the guesser's password is no longer valid, or an administrator says so. */
export async function liftFactorStop(client: Client, userId: string): Promise<boolean> {
  const lifted = await one<{ total: number }>(
    client,
    'delete from factor_failures where user_id = $1 returning total',
    [userId],
  );
  return lifted !== null && lifted.total > MAX_WRONG_CODES;
}
