import type { FactorMethod } from '#contract/second-factor.ts';
import { type Client, execute, one } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

const WINDOW_MS = 15 * 60_000;
export const FACTOR_TRIES = 10;

/**
 * Counts a try of a code before it is checked: of parallel guesses none exceeds the limit. A right proof
 * forgives them all. Passkeys and recovery codes cannot be guessed and are not counted: their owner can sign in
 * while somebody who knows the password tries codes.
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function spendFactorTry(
  client: Client,
  { userId, method, now }: { userId: string; method: FactorMethod; now: Date },
): Promise<void> {
  if (method !== 'totp') return;
  const counted = await one<{ failures: number; windowStart: Date }>(
    client,
    `insert into factor_failures as f (user_id, window_start, failures) values ($1, $2, 1)
     on conflict (user_id) do update set
       failures = case when f.window_start <= $3 then 1 else f.failures + 1 end,
       window_start = case when f.window_start <= $3 then $2 else f.window_start end
     returning failures, window_start as "windowStart"`,
    [userId, now, new Date(now.getTime() - WINDOW_MS)],
  );
  if (!counted || counted.failures <= FACTOR_TRIES) return;
  const leftMs = counted.windowStart.getTime() + WINDOW_MS - now.getTime();
  throw new Refusal('TOO_MANY_LOGINS', {
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  });
}

export async function forgiveFactorTries(client: Client, userId: string): Promise<void> {
  await execute(client, 'delete from factor_failures where user_id = $1', [userId]);
}
