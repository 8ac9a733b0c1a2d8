import type { Client } from '#server/db/query.ts';
import { accountKey, keyOf, type Limit, refuseFor, spend } from './leaky-bucket.ts';

const MINUTE_MS = 60_000;

/** Right sign-ins of one account on one known device, and on all unknown ones: 200 at first, then 120 per hour. */
const SIGN_INS: Limit = { atOnce: 200, forgivenMs: MINUTE_MS / 2 };

/**
 * Counts a right sign-in, within its transaction. Sign-ins from other places never close the account to a device on
 * which it has signed in before.
 * @param device the known device; null: an unknown one
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function spendSignIn(
  client: Client,
  { id, email, device }: { id: string; email: string; device: string | null },
  now: Date,
): Promise<void> {
  const key = keyOf(`signed-in:${id}${device === null ? '' : `:${device}`}`);
  const account = accountKey(email.toLowerCase());
  const waitMs = await spend(client, { key, account, limit: SIGN_INS }, now);
  if (waitMs > 0) throw refuseFor('TOO_MANY_LOGINS', 'Слишком много входов', waitMs);
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
