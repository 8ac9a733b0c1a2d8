import { type Client, execute, rows } from '#server/db/query.ts';
import {
  accountKey,
  giveBack,
  keyOf,
  type Limit,
  refuseFor,
  spend,
  waitOf,
} from './leaky-bucket.ts';
import { networkOf } from './networks.ts';

/**
 * Tries of one account's password from one origin: a known device, its own sign-in, or everything else behind one
 * address. 10 guesses at first, then one per minute.
 */
export const PER_ORIGIN: Limit = { atOnce: 10, forgivenMs: 60_000 };
/** Tries of it by unknown devices anywhere: 100 at first, then 200 per hour, from any number of addresses. */
const PER_ACCOUNT: Limit = { atOnce: 100, forgivenMs: 18_000 };
/** Tries of all accounts together by unknown devices behind one address, which a whole school may share. */
export const PER_ADDRESS: Limit = { atOnce: 100, forgivenMs: 3_000 };
/**
 * An address over this limit is only slowed, not refused, before it has closed its accounts. Seconds after the
 * last failure it is below the limit again, and has the rest of `PER_ORIGIN`.
 */
const FROM_LOUD_ADDRESS: Limit = { ...PER_ORIGIN, atOnce: 3 };
/** Join codes tried by one account. */
const PER_JOINER: Limit = { atOnce: 10, forgivenMs: 60_000 };

/** Where a password is tried: on a known device of the account, in its own sign-in, or elsewhere. */
export type GuessOrigin = { readonly device: string } | { readonly address: string };

/** A try of an account's password, existing or not. */
export interface Guess {
  readonly email: string;
  readonly origin: GuessOrigin;
}

/** The origin as a key. */
export const placeOf = ({ origin }: Pick<Guess, 'origin'>): string =>
  'device' in origin ? `device:${origin.device}` : `network:${networkOf(origin.address)}`;

/** The known device of a guess; null: an unknown one. */
export const knownDevice = ({ origin }: Guess): string | null =>
  'device' in origin ? origin.device : null;

/** The key that a failure is counted under. */
interface Counter {
  readonly key: Buffer;
  /** The account of the failures, so that they can be forgiven; null: everybody's. */
  readonly account: Buffer | null;
  readonly limit: Limit;
}

interface CounterKey extends Counter {
  /** Time until the failure no longer counts. */
  readonly drainsInMs: number;
}

function countersOf({ email, origin }: Guess): [Counter, ...Counter[]] {
  const account = accountKey(email);
  if ('device' in origin)
    return [{ key: keyOf(`device:${origin.device}:${email}`), account, limit: PER_ORIGIN }];
  const network = networkOf(origin.address);
  return [
    { key: keyOf(`origin:${network}:${email}`), account, limit: PER_ORIGIN },
    { key: keyOf(`address:${network}`), account: null, limit: PER_ADDRESS },
    { key: account, account, limit: PER_ACCOUNT },
  ];
}

const findCounts = {
  name: 'find-login-failures',
  text: 'select key, drained_at from login_failures where key = any($1) and drained_at > $2',
};

// In the order of keys: two transactions that count the same keys wait for each other without a deadlock.
const countAll = {
  name: 'count-login-failures',
  text: `insert into login_failures as f (key, account, drained_at)
         select key, account, $4::timestamptz + forgiven * interval '1 ms'
           from unnest($1::bytea[], $2::bytea[], $3::float8[]) as counted (key, account, forgiven)
          order by key
         on conflict (key) do update set
           drained_at = greatest(f.drained_at, $4) + (excluded.drained_at - $4)`,
};

/** How long a guess has to wait because of earlier failures; zero or less: not at all. */
function waitOfGuess([origin, address, account]: readonly CounterKey[]): number {
  if (!origin) return 0;
  const own = waitOf(origin.limit, origin.drainsInMs);
  if (!address || !account) return own;
  const slowed = Math.min(
    waitOf(FROM_LOUD_ADDRESS, origin.drainsInMs),
    waitOf(address.limit, address.drainsInMs),
  );
  return Math.max(own, slowed, waitOf(account.limit, account.drainsInMs));
}

/** The counters that a permitted guess increments when wrong. */
export type GuessCounters = readonly CounterKey[];

/**
 * Checks whether a guess may be verified. Failures on unknown devices never close the account to known ones.
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function requireTriesLeft(
  client: Client,
  guess: Guess,
  now: Date,
): Promise<GuessCounters> {
  const counters = countersOf(guess);
  const found = await rows<{ key: Buffer; drained_at: Date }>(client, findCounts, [
    counters.map(({ key }) => key),
    now,
  ]);
  const counted = counters.map((counter) => {
    const row = found.find(({ key }) => key.equals(counter.key));
    return { ...counter, drainsInMs: row ? row.drained_at.getTime() - now.getTime() : 0 };
  });
  const waitMs = waitOfGuess(counted);
  if (waitMs > 0) throw refuseFor('TOO_MANY_LOGINS', 'Слишком много неверных паролей', waitMs);
  return counted;
}

/** Counts a wrong password. A full counter grows no further. */
export async function countFailure(client: Client, left: GuessCounters, now: Date): Promise<void> {
  const open = left.filter(({ limit, drainsInMs }) => waitOf(limit, drainsInMs) <= 0);
  await execute(client, countAll, [
    open.map(({ key }) => key),
    open.map(({ account }) => account),
    open.map(({ limit }) => limit.forgivenMs),
    now,
  ]);
}

/** The right password resets its own origin; guesses from elsewhere gain nothing. */
export async function forgiveOrigin(client: Client, [origin]: GuessCounters): Promise<void> {
  if (!origin || origin.drainsInMs === 0) return;
  await execute(client, 'delete from login_failures where key = $1', [origin.key]);
}

/** Resets an account's failures everywhere, and its counted sign-ins. */
export async function forgiveAccount(client: Client, email: string): Promise<void> {
  await execute(client, 'delete from login_failures where account = $1', [accountKey(email)]);
}

const joinerKey = (userId: string) => keyOf(`joiner:${userId}`);

/**
 * Counts a try of a join code before it is checked, so that parallel guesses cannot exceed the limit. A right code
 * returns the try.
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function spendJoinTry(client: Client, userId: string, now: Date): Promise<void> {
  const waitMs = await spend(client, { key: joinerKey(userId), limit: PER_JOINER }, now);
  if (waitMs > 0) throw refuseFor('TOO_MANY_LOGINS', 'Слишком много неверных кодов', waitMs);
}

export const giveJoinTryBack = (client: Client, userId: string): Promise<void> =>
  giveBack(client, { key: joinerKey(userId), limit: PER_JOINER });
