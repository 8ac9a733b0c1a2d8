import { createHash } from 'node:crypto';
import { type Client, execute, rows } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Failed sign-ins in a window. */
const WINDOW_MS = 15 * 60_000;
export const FAILURES_PER_ACCOUNT = 10;
export const FAILURES_PER_ADDRESS = 300;
/** Tries an account has while its caller's address is over the limit: right passwords still pass. */
const TRIES_FROM_LOUD_ADDRESS = 3;

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
           window_start = case when f.window_start <= $3 then $2 else f.window_start end`,
};

const findCounts = {
  name: 'find-login-failures',
  text: `select key, failures, window_start from login_failures
          where key = any($1) and window_start > $2`,
};

const secondsLeft = ({ window_start }: CountRow, now: Date) =>
  Math.max(1, Math.ceil((window_start.getTime() + WINDOW_MS - now.getTime()) / 1000));

const tooMany = (row: CountRow, now: Date) =>
  new Refusal('TOO_MANY_LOGINS', { retryAfterSeconds: secondsLeft(row, now) });

/** What was counted against an account and an address; null: nothing in this window. */
interface Counted {
  account: CountRow | null;
  address: CountRow | null;
}

/**
 * Asks whether a sign-in may be tried. A school shares one address: its limit alone refuses nobody,
 * it only lowers what each account may still try.
 * @returns whether anything is counted against the account
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function requireTriesLeft(
  client: Client,
  email: string,
  address: string,
  now: Date,
): Promise<boolean> {
  const [ofAccount, ofAddress] = [accountKey(email), addressKey(address)];
  const found = await rows<CountRow & { key: Buffer }>(client, findCounts, [
    [ofAccount, ofAddress],
    windowStart(now),
  ]);
  const counted: Counted = {
    account: found.find(({ key }) => key.equals(ofAccount)) ?? null,
    address: found.find(({ key }) => key.equals(ofAddress)) ?? null,
  };
  const isLoud = (counted.address?.failures ?? 0) >= FAILURES_PER_ADDRESS;
  const allowed = isLoud ? TRIES_FROM_LOUD_ADDRESS : FAILURES_PER_ACCOUNT;
  if (counted.account && counted.account.failures >= allowed) throw tooMany(counted.account, now);
  return counted.account !== null;
}

/** Counts a wrong password against the account and the address. */
export async function countFailure(
  client: Client,
  email: string,
  address: string,
  now: Date,
): Promise<void> {
  await execute(client, countOne, [accountKey(email), now, windowStart(now)]);
  await countAddressFailure(client, address, now);
}

export async function forgiveAccount(client: Client, email: string): Promise<void> {
  await execute(client, 'delete from login_failures where key = $1', [accountKey(email)]);
}

export async function countAddressFailure(
  client: Client,
  address: string,
  now: Date,
): Promise<void> {
  await execute(client, countOne, [addressKey(address), now, windowStart(now)]);
}

/** @throws {Refusal} TOO_MANY_LOGINS when too much failed from the address */
export async function requireQuietAddress(
  client: Client,
  address: string,
  now: Date,
): Promise<void> {
  const [row] = await rows<CountRow>(client, findCounts, [[addressKey(address)], windowStart(now)]);
  if (row && row.failures >= FAILURES_PER_ADDRESS) throw tooMany(row, now);
}

const joiner = (userId: string) => keyOf(`joiner:${userId}`);
const joinAddress = (address: string) => keyOf(`join-address:${address}`);

const tooManyCodes = (row: CountRow, now: Date) =>
  new Refusal('TOO_MANY_LOGINS', {
    message: 'Слишком много неверных кодов. Попробуйте через несколько минут',
    retryAfterSeconds: secondsLeft(row, now),
  });

/**
 * Counts a try of a join code before it is judged: of parallel guesses none is judged beyond the
 * limit. A right code gives the try back.
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function spendJoinTry(
  client: Client,
  userId: string,
  address: string,
  now: Date,
): Promise<void> {
  const [own] = await rows<CountRow>(
    client,
    { name: 'spend-join-try', text: `${countOne.text} returning failures, window_start` },
    [joiner(userId), now, windowStart(now)],
  );
  const found = await rows<CountRow>(client, findCounts, [
    [joinAddress(address)],
    windowStart(now),
  ]);
  const isLoud = (found[0]?.failures ?? 0) >= FAILURES_PER_ADDRESS;
  const allowed = isLoud ? TRIES_FROM_LOUD_ADDRESS : FAILURES_PER_ACCOUNT;
  if (own && own.failures > allowed) throw tooManyCodes(own, now);
}

export async function giveJoinTryBack(client: Client, userId: string): Promise<void> {
  await execute(
    client,
    'update login_failures set failures = greatest(0, failures - 1) where key = $1',
    [joiner(userId)],
  );
}

/** Counts a wrong code against the address; `spendJoinTry` did against the account. */
export async function countJoinFailure(client: Client, address: string, now: Date): Promise<void> {
  await execute(client, countOne, [joinAddress(address), now, windowStart(now)]);
}
