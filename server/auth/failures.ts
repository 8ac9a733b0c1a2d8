import { hash } from 'node:crypto';
import { formatElapsed } from '#domain/format-time.ts';
import { type Client, execute, one, rows } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { networkOf } from './networks.ts';

/** So many failures at once; one more is allowed each time that one was forgiven. */
interface Limit {
  readonly atOnce: number;
  readonly forgivenMs: number;
}

/**
 * The password of one account, tried from one origin: a device that it knows, its own sign-in, or all else
 * behind one address. 10 guesses at once, then one a minute.
 */
export const PER_ORIGIN: Limit = { atOnce: 10, forgivenMs: 60_000 };
/** The same, tried by unknown devices anywhere: 100 at once, then 200 an hour, however many addresses help. */
const PER_ACCOUNT: Limit = { atOnce: 100, forgivenMs: 18_000 };
/** All accounts together, tried by unknown devices behind one address. A whole school may share one. */
export const PER_ADDRESS: Limit = { atOnce: 100, forgivenMs: 3_000 };
/**
 * An address over its limit refuses nobody by that: it is only slowed, before it has closed its accounts.
 * Seconds after the last failure it is below the limit again, and has the rest of `PER_ORIGIN`.
 */
const FROM_LOUD_ADDRESS: Limit = { ...PER_ORIGIN, atOnce: 3 };
/** Join codes that one account tries. */
const PER_JOINER: Limit = { atOnce: 10, forgivenMs: 60_000 };

/** Where a password is tried: on a device that the account knows, in its own sign-in, or elsewhere. */
export type Origin = { readonly device: string } | { readonly address: string };

/** A try of an account's password; of an unknown account too. */
export interface Guess {
  readonly email: string;
  readonly origin: Origin;
}

/** What a failure is counted under. */
interface Counter {
  readonly key: Buffer;
  /** Whose failures they are, for the day they are forgiven; null: everybody's. */
  readonly account: Buffer | null;
  readonly limit: Limit;
}

interface Counted extends Counter {
  /** Until nothing of it counts any more. */
  readonly drainsInMs: number;
}

const keyOf = (name: string): Buffer => hash('sha256', name, 'buffer');
const accountKey = (email: string) => keyOf(`account:${email}`);

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

// In the order of keys: two that count the same wait for each other, and never in a circle.
const countAll = {
  name: 'count-login-failures',
  text: `insert into login_failures as f (key, account, drained_at)
         select key, account, $4::timestamptz + forgiven * interval '1 ms'
           from unnest($1::bytea[], $2::bytea[], $3::float8[]) as counted (key, account, forgiven)
          order by key
         on conflict (key) do update set
           drained_at = greatest(f.drained_at, $4) + (excluded.drained_at - $4)`,
};

/** Milliseconds until one more failure is allowed; none or fewer: now. */
const waitOf = ({ atOnce, forgivenMs }: Limit, drainsInMs: number) =>
  drainsInMs - (atOnce - 1) * forgivenMs;

function tooMany(what: string, waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  // A wait is never told too short: minutes are rounded up.
  const told = seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60;
  return new Refusal('TOO_MANY_LOGINS', {
    message: `Слишком много ${what}. Попробуйте снова через ${formatElapsed(told * 1000)}`,
    retryAfterSeconds: seconds,
  });
}

/** How long a guess has to wait for what was counted before; none or less: not at all. */
function waitOfGuess([origin, address, account]: readonly Counted[]): number {
  if (!origin) return 0;
  const own = waitOf(origin.limit, origin.drainsInMs);
  if (!address || !account) return own;
  const slowed = Math.min(
    waitOf(FROM_LOUD_ADDRESS, origin.drainsInMs),
    waitOf(address.limit, address.drainsInMs),
  );
  return Math.max(own, slowed, waitOf(account.limit, account.drainsInMs));
}

/** What is counted against a guess that may be judged. */
export type TriesLeft = readonly Counted[];

/**
 * Asks whether a guess may be judged. What happens to devices that the account does not know never
 * closes it to those that it knows.
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function requireTriesLeft(
  client: Client,
  guess: Guess,
  now: Date,
): Promise<TriesLeft> {
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
  if (waitMs > 0) throw tooMany('неверных паролей', waitMs);
  return counted;
}

/** Counts a wrong password. A full count grows no further: it is as full as it needs to be. */
export async function countFailure(client: Client, left: TriesLeft, now: Date): Promise<void> {
  const open = left.filter(({ limit, drainsInMs }) => waitOf(limit, drainsInMs) <= 0);
  await execute(client, countAll, [
    open.map(({ key }) => key),
    open.map(({ account }) => account),
    open.map(({ limit }) => limit.forgivenMs),
    now,
  ]);
}

/** The right password forgives its own origin; whoever guesses elsewhere gets no more by that. */
export async function forgiveOrigin(client: Client, [origin]: TriesLeft): Promise<void> {
  if (!origin || origin.drainsInMs === 0) return;
  await execute(client, 'delete from login_failures where key = $1', [origin.key]);
}

/** Forgives what failed for an account anywhere. */
export async function forgiveAccount(client: Client, email: string): Promise<void> {
  await execute(client, 'delete from login_failures where account = $1', [accountKey(email)]);
}

const joinerKey = (userId: string) => keyOf(`joiner:${userId}`);

const spendTry = {
  name: 'spend-join-try',
  text: `insert into login_failures as f (key, drained_at)
         values ($1, $2::timestamptz + $3 * interval '1 ms')
         on conflict (key) do update set
           drained_at = greatest(f.drained_at, $2) + $3 * interval '1 ms'
         where f.drained_at <= $4`,
};

/**
 * Counts a try of a join code before it is judged: of parallel guesses none is judged beyond the
 * limit. A right code gives the try back.
 * @throws {Refusal} TOO_MANY_LOGINS
 */
export async function spendJoinTry(client: Client, userId: string, now: Date): Promise<void> {
  const { atOnce, forgivenMs } = PER_JOINER;
  const key = joinerKey(userId);
  const fullAt = new Date(now.getTime() + (atOnce - 1) * forgivenMs);
  if ((await execute(client, spendTry, [key, now, forgivenMs, fullAt])) === 1) return;
  const row = await one<{ drained_at: Date }>(
    client,
    'select drained_at from login_failures where key = $1',
    [key],
  );
  const waitMs = row ? row.drained_at.getTime() - fullAt.getTime() : forgivenMs;
  throw tooMany('неверных кодов', Math.max(1, waitMs));
}

export async function giveJoinTryBack(client: Client, userId: string): Promise<void> {
  await execute(
    client,
    `update login_failures set drained_at = drained_at - $2 * interval '1 ms' where key = $1`,
    [joinerKey(userId), PER_JOINER.forgivenMs],
  );
}
