import { ERRORS } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import type { RouteCall } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { checkPassword } from './check-password.ts';

/**
 * Checks the caller's own password, within the limits of a sign-in, so that an unlocked device cannot be used for
 * guessing. Failures here do not close other devices.
 * @param field of the form, where a wrong one is reported
 * @returns the hash that it was compared with
 * @throws {Refusal} WRONG_PASSWORD, TOO_MANY_LOGINS; UNAVAILABLE when the caller disconnected in the queue
 */
export async function requireOwnPassword(
  { pool }: Pick<Deps, 'pool'>,
  { caller, now, isGone }: Pick<RouteCall<Route>, 'caller' | 'now' | 'isGone'>,
  { password, field }: { password: string; field: string },
): Promise<string> {
  const { email, tokenHash, userId } = caller;
  const guess = { email: email.toLowerCase(), origin: { device: tokenHash.toString('hex') } };
  const place = { account: userId };
  const own = await checkPassword(pool, { guess, place, password, now, isGone }, () =>
    one<{ password_hash: string }>(pool, 'select password_hash from users where id = $1', [userId]),
  );
  if (own) return own.password_hash;
  const { message } = ERRORS.WRONG_PASSWORD;
  throw new Refusal('WRONG_PASSWORD', { details: { fields: [{ field, message }] } });
}
