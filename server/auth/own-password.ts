import { ERRORS } from '#contract/errors.ts';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import type { Call } from '#server/http/handle.ts';
import type { Route } from '#contract/route.ts';
import { Refusal } from '#server/http/refusal.ts';
import { countFailure, forgiveAccount, requireTriesLeft } from './failures.ts';
import { inTurn, verifyPassword } from './passwords.ts';

/**
 * Asks for the caller's own password, within the limits of a sign-in: a device that was left open is no
 * place to guess it at.
 * @param field of the form, where a wrong one is told
 * @returns the hash that it was compared with
 * @throws {Refusal} WRONG_PASSWORD, TOO_MANY_LOGINS; UNAVAILABLE when the caller hung up in the queue
 */
export async function requireOwnPassword(
  { pool }: Pick<Deps, 'pool'>,
  { caller, address, now, isGone }: Pick<Call<Route>, 'caller' | 'address' | 'now' | 'isGone'>,
  { password, field }: { password: string; field: string },
): Promise<string> {
  const email = caller.email.toLowerCase();
  return inTurn(async () => {
    if (isGone()) throw new Refusal('UNAVAILABLE');
    const hasFailures = await requireTriesLeft(pool, email, address, now);
    const own = await one<{ hash: string }>(
      pool,
      'select password_hash as hash from users where id = $1',
      [caller.userId],
    );
    if (!(await verifyPassword(own?.hash, password)) || !own) {
      await countFailure(pool, email, address, now);
      const { message } = ERRORS.WRONG_PASSWORD;
      throw new Refusal('WRONG_PASSWORD', { details: { fields: [{ field, message }] } });
    }
    if (hasFailures) await forgiveAccount(pool, email);
    return own.hash;
  });
}
