import type { Client } from '#server/db/query.ts';
import { accountKey, keyOf, type Limit, refuseFor, spend } from './leaky-bucket.ts';

const MINUTE_MS = 60_000;

/** Right sign-ins of one account on all devices together: 200 at first, then 120 per hour. */
const SIGN_INS: Limit = { atOnce: 200, forgivenMs: MINUTE_MS / 2 };
/** Further ones on one known device: 20 at first, then 6 per hour. */
const RESERVED_SIGN_INS: Limit = { atOnce: 20, forgivenMs: 10 * MINUTE_MS };
/** Devices that become known to one account: 5 at first, then 4 per day. */
const NEW_DEVICES: Limit = { atOnce: 5, forgivenMs: 360 * MINUTE_MS };

/**
 * Counts a right sign-in, within its transaction. Sign-ins from elsewhere never close the account to a known device.
 * Whoever knows the password can make few devices known, so that all sign-ins of an account stay bounded.
 * @param device the known device; null: an unknown one
 * @returns whether the account knows the device from now on
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function spendSignIn(
  client: Client,
  { id, email, device }: { id: string; email: string; device: string | null },
  now: Date,
): Promise<boolean> {
  const account = accountKey(email.toLowerCase());
  const spendFrom = (name: string, limit: Limit) =>
    spend(client, { key: keyOf(`${name}:${id}`), account, limit }, now);
  const waitMs = await spendFrom('signed-in', SIGN_INS);
  const reserveMs =
    waitMs > 0 && device !== null
      ? await spendFrom(`signed-in:${device}`, RESERVED_SIGN_INS)
      : waitMs;
  if (reserveMs > 0)
    throw refuseFor('TOO_MANY_LOGINS', 'Слишком много входов', Math.min(waitMs, reserveMs));
  return device !== null || (await spendFrom('new-device', NEW_DEVICES)) === 0;
}

/** Acts that any account may repeat: their limits, and the messages of refusals. */
const OWN_ACTS = {
  rename: {
    limit: { atOnce: 20, forgivenMs: 10 * MINUTE_MS },
    reason: 'Имя меняли слишком много раз',
  },
  password: {
    limit: { atOnce: 20, forgivenMs: 10 * MINUTE_MS },
    reason: 'Пароль меняли слишком много раз',
  },
  // Each reads all stored data of a person.
  export: {
    limit: { atOnce: 20, forgivenMs: 10 * MINUTE_MS },
    reason: 'Данные собирали слишком много раз',
  },
  // Replaced files stay on the disk for a day: 200 of them are at most 2.4 GB.
  projectFiles: {
    limit: { atOnce: 200, forgivenMs: 10 * MINUTE_MS },
    reason: 'Файлы проектов меняли слишком много раз',
  },
} as const satisfies Record<string, { limit: Limit; reason: string }>;

/**
 * Counts an act of an account before it is done.
 * @throws {Refusal} TOO_MANY_REQUESTS
 */
export async function spendOwnAct(
  client: Client,
  act: keyof typeof OWN_ACTS,
  userId: string,
  now: Date,
): Promise<void> {
  const { limit, reason } = OWN_ACTS[act];
  const waitMs = await spend(client, { key: keyOf(`${act}:${userId}`), limit }, now);
  if (waitMs > 0) throw refuseFor('TOO_MANY_REQUESTS', reason, waitMs);
}
