import { createHash } from 'node:crypto';
import { type Client, execute, one } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Failed sign-ins in a window. */
const WINDOW_MS = 15 * 60_000;
export const FAILURES_PER_ACCOUNT = 10;
export const FAILURES_PER_ADDRESS = 300;
/** Tries an account has while its caller's address is over the limit: right passwords still pass. */
export const TRIES_FROM_LOUD_ADDRESS = 3;

const accountKey = (email: string) => keyOf(`account:${email}`);
const addressKey = (address: string) => keyOf(`address:${address}`);
const keyOf = (name: string) => createHash('sha256').update(name).digest();

const windowStart = (now: Date) => new Date(now.getTime() - WINDOW_MS);

interface CountRow {
  failures: number;
  window_start: Date;
}

const countOne = {
  name: 'count-login-failure',
  text: `insert into login_failures as f (key, window_start, failures) values ($1, $2, 1)
         on conflict (key) do update set
           failures = case when f.window_start <= $3 then 1 else f.failures + 1 end,
           window_start = case when f.window_start <= $3 then $2 else f.window_start end
         returning failures, window_start`,
};

const count = (client: Client, key: Buffer, now: Date) =>
  one<CountRow>(client, countOne, [key, now, windowStart(now)]);

const current = (client: Client, key: Buffer, now: Date) =>
  one<CountRow>(
    client,
    'select failures, window_start from login_failures where key = $1 and window_start > $2',
    [key, windowStart(now)],
  );

const tooMany = (row: CountRow, now: Date) =>
  new Refusal('TOO_MANY_LOGINS', {
    retryAfterSeconds: Math.max(
      1,
      Math.ceil((row.window_start.getTime() + WINDOW_MS - now.getTime()) / 1000),
    ),
  });

/**
 * Counts a try of the account before its password is looked at, so that parallel tries count too;
 * `forgiveAccount` takes it back. A school shares one address: its limit alone refuses nobody,
 * it only lowers what each account may still try.
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function reserveAccountTry(
  client: Client,
  email: string,
  address: string,
  now: Date,
): Promise<void> {
  const [tries, loud] = await Promise.all([
    count(client, accountKey(email), now),
    current(client, addressKey(address), now),
  ]);
  if (!tries) return;
  const isLoud = (loud?.failures ?? 0) >= FAILURES_PER_ADDRESS;
  if (tries.failures > (isLoud ? TRIES_FROM_LOUD_ADDRESS : FAILURES_PER_ACCOUNT))
    throw tooMany(tries, now);
}

export async function forgiveAccount(client: Client, email: string): Promise<void> {
  await execute(client, 'delete from login_failures where key = $1', [accountKey(email)]);
}

export async function countAddressFailure(
  client: Client,
  address: string,
  now: Date,
): Promise<void> {
  await count(client, addressKey(address), now);
}

/** @throws {Refusal} TOO_MANY_LOGINS when too much failed from the address */
export async function requireQuietAddress(
  client: Client,
  address: string,
  now: Date,
): Promise<void> {
  const row = await current(client, addressKey(address), now);
  if (row && row.failures >= FAILURES_PER_ADDRESS) throw tooMany(row, now);
}
